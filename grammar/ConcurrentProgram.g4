// The concurrent-program language (.cp): Fig. 1 of Atig, Bouajjani, Parlato, CAV 2011, with C-like
// brackets. The README has it on one page; src/frontend/cp gives it meaning.
grammar ConcurrentProgram;

program : item* EOF ;

item
    : constant
    | sharedVariables
    | threadVariables
    | mainProcess
    | process
    | procedure
    | forbid
    | finalCondition
    ;

constant        : 'const' name=ID '=' value=expr ';' ;
sharedVariables : 'shared' type declarator (',' declarator)* ';' ;
threadVariables : 'thread' type declarator (',' declarator)* ';' ;

type       : 'bool' | 'int' ('<' low=bound '..' high=bound '>')? ;
bound      : sign='-'? boundTerm (boundSign boundTerm)* ;
boundSign  : '+' | '-' ;
boundTerm  : INT | ID ;
declarator : name=ID ('[' bound ']')* ('=' initial)? ;
initial    : any='*' | expr | '{' initial (',' initial)* '}' ;

mainProcess : 'main' name=ID? block ;
process     : 'process' name=ID parameters? block ;
procedure   : 'procedure' name=ID parameters? block ;
parameters  : '(' (parameter (',' parameter)*)? ')' ;
parameter   : type name=ID ;

forbid         : 'forbid' whereabouts (',' whereabouts)* ';' ;
whereabouts    : threadName '@' at=ID ;
threadName     : (ID | 'main') arguments? ;
finalCondition : 'final' expr ';' ;

block     : '{' statement* '}' ;
statement : label* action ;
label     : ID ':' ;

action
    : 'skip' ';'                                                          # Skip
    | 'assume' '(' condition ')' ';'                                      # Assume
    | 'assert' '(' condition ')' ';'                                      # Assert
    | place '=' rightSide ';'                                             # Assign
    | type declarator (',' declarator)* ';'                               # Declare
    | 'call' name=ID arguments? ';'                                       # Call
    | 'return' ';'                                                        # Return
    | 'if' '(' condition ')' yes=statement ('else' no=statement)?         # If
    | 'while' '(' condition ')' statement                                 # While
    | 'do' before=block 'while' '(' condition ')' (';' | after=block)     # DoWhile
    | 'goto' name=ID ';'                                                  # Goto
    | 'break' ';'                                                         # Break
    | 'continue' ';'                                                      # Continue
    | 'atomic_begin' ';'                                                  # AtomicBegin
    | 'atomic_end' ';'                                                    # AtomicEnd
    | 'atomic' block                                                      # Atomic
    | spawn ';'                                                           # SpawnThread
    | 'join' expr ';'                                                     # Join
    | 'fence' ';'                                                         # Fence
    | 'store_fence' ';'                                                   # StoreFence
    | cas ';'                                                             # CasAlone
    | 'arw' '(' place ',' expected=expr ',' desired=expr ')' ';'          # Arw
    | block                                                               # Nested
    ;

condition : any='*' | expr ;
rightSide : any='*' | spawn | expr ;
spawn     : 'spawn' name=ID arguments? ;
arguments : '(' (expr (',' expr)*)? ')' ;
place     : name=ID ('[' expr ']')* ;
cas       : 'cas' '(' place ',' expected=expr ',' desired=expr ')' ;

expr
    : '(' expr ')'                                # Parenthesis
    | value=(INT | 'true' | 'false')              # Literal
    | cas                                         # CasValue
    | threadName '.' place                        # ThreadVariable
    | place                                       # Variable
    | op=('!' | '-' | '~') expr                   # Unary
    | left=expr op=('*' | '/' | '%') right=expr   # Binary
    | left=expr op=('+' | '-') right=expr         # Binary
    | left=expr op=('<<' | '>>') right=expr          # Binary
    | left=expr op=('<' | '<=' | '>' | '>=') right=expr  # Binary
    | left=expr op=('==' | '!=') right=expr       # Binary
    | left=expr op='&' right=expr                 # Binary
    | left=expr op='^' right=expr                 # Binary
    | left=expr op='|' right=expr                 # Binary
    | left=expr op='&&' right=expr                # Binary
    | left=expr op='||' right=expr                # Binary
    ;

ID  : [a-zA-Z_] [a-zA-Z_0-9]* ;
INT : [0-9]+ ;

LINE_COMMENT  : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;
SPACE         : [ \t\r\n\f]+ -> skip ;

// Anything else becomes a token, so that the parser reports it with its place.
UNEXPECTED : . ;
