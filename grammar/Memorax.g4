// The language of Memorax (.rmm), as its parser reads it after its macros are expanded, with what its
// newest version adds. A few things that it refuses are rules here, so that messages can say why.
grammar Memorax;

program    : 'forbidden' tuple (';' tuple)* predicates? data? process+ EOF ;
tuple      : entry+ ;
entry      : ID | any='*' ;
predicates : 'predicates' condition (';' condition)* ;

process   : 'process' ('(' count=NUMBER ')')? section* 'text' statements ;
section   : data | registers ;
data      : 'data' location+ ;
registers : 'registers' owned+ ;
location  : name=ID '=' initial (':' domain)? ;
owned     : name=REGISTER '=' initial (':' domain)? ;
initial   : any='*' | integer ;
domain    : '[' low=integer ':' high=integer ']' | all=ID ;
integer   : minus='-'? NUMBER ;

statements : statement (';'? statement)* extra=';'? ;
statement  : label* action ;
label      : ID ':' ;

action
    : 'nop'                                                   # Nop
    | op=('fence' | 'ssfence' | 'llfence')                    # Fence
    | op=('read' | 'syncrd') ':' place '=' expr               # ReadValue
    | op=('read' | 'syncrd') ':' into=REGISTER ':=' place     # ReadInto
    | op=('write' | 'syncwr') ':' place ':=' expr             # Write
    | op=('locked' | 'slocked') 'write' ':' place ':=' expr   # LockedWrite
    | 'locked' '{' branches '}'                               # Locked
    | 'cas' '(' place ',' expected=expr ',' desired=expr ')'  # Cas
    | into=REGISTER ':=' expr                                 # Assign
    | 'assume' ':' condition                                  # Assume
    | 'if' condition 'then' yes=statement ('else' no=statement)?  # If
    | 'while' condition 'do' statement                        # While
    | 'goto' name=ID                                          # Goto
    | 'either' '{' branches '}'                               # Either
    | '{' statements '}'                                      # Nested
    ;

branches : statements ('or' statements)* ;
place    : name=ID ('[' (my='my' | index=expr) ']')? | '[' pointer=expr ']' ;

expr : unit (sign unit)* ;
sign : '+' | '-' ;
unit
    : REGISTER                              # RegisterValue
    | NUMBER                                # Number
    | '-' unit                              # Negative
    | '(' expr ')'                          # Parenthesis
    | op=('me' | 'other' | '@')             # Unsupported
    | name=ID ('[' ('my' | expr) ']')?      # Memory
    ;

condition   : conjunction ('||' conjunction)* ;
conjunction : negation ('&&' negation)* ;
negation    : negated='not'? atom ;
atom
    : value=('true' | 'false')              # Truth
    | '[' condition ']'                     # Group
    | '(' condition ')'                     # WrongGroup
    | left=expr op=('=' | '!=' | '<' | '>' | '<=' | '>=') right=expr  # Comparison
    ;

ID       : [a-zA-Z_] [a-zA-Z_0-9]* ;
REGISTER : '$' [a-zA-Z_0-9]+ ;
NUMBER   : [0-9]+ ;

COMMENT      : '/*' .*? '*/' -> skip ;
OPEN_COMMENT : '/*' ;
LINE_COMMENT : '//' ~[\r\n]* ;
SPACE        : [ \t\r\n\f]+ -> skip ;

// Anything else becomes a token, so that the parser reports it with its place.
UNEXPECTED : . ;
