// The parts of herd7's litmus tests that are the same for all architectures: the initial state and
// what comes after the program. src/frontend/litmus gives them meaning and cuts files into parts.
grammar Litmus;

initialState : initialItem? (';' initialItem?)* EOF ;
initialItem  : NAME* '*'* place ('[' NUMBER ']')? ('=' initialValue)? ;
initialValue : NUMBER
             | address='&'? NAME ('[' NUMBER ']')?
             | NAME '(' NUMBER ')'
             | '{' initialValue (',' initialValue)* '}'
             ;

constraint  : locations? filter? condition? ';'? more? EOF ;
locations   : 'locations' '[' (shownPlace (';' shownPlace)* ';'?)? ']' ';'? ;
shownPlace  : place element? NAME* '*'* ;
filter      : 'filter' proposition ';'? ;
condition   : quantifier proposition | '(' proposition ')' ;
quantifier  : sign=('~' | 'not')? word=('exists' | 'forall' | 'final' | 'observed' | 'Observed') ;
more        : 'with' .*? ;            // herd ignores what stands here, and so do we

proposition
    : '(' proposition ')'                                      # Parenthesis
    | ('~' | 'not') proposition                                # Negation
    | value=('true' | 'false')                                 # Truth
    | left=place leftElement=element? op=('=' | '==' | '!=' | '<>')
      (NUMBER | address='&'? right=place rightElement=element? | list)  # Atom
    | <assoc=right> proposition '=>' proposition               # Implication
    | proposition ('/\\' | '&&') proposition                   # Conjunction
    | proposition ('\\/' | '||') proposition                   # Disjunction
    ;
list    : '{' (NUMBER (',' NUMBER)*)? '}' ;
element : '[' NUMBER ']' ;

place
    : thread=(NUMBER | NAME) ':' '%'? reg=NAME  # RegisterPlace
    | '%' reg=NAME                              # LoosePlace
    | '[' name=NAME ']'                              # Location
    | '*'? name=NAME                                 # Location
    ;

NUMBER : '-'? ('0' [xX] [0-9a-fA-F]+ | [0-9]+) ;
NAME   : [a-zA-Z_.$] ([a-zA-Z0-9_.$] | [-/] [a-zA-Z0-9])* ;
SPACE  : [ \t\r\n\f]+ -> skip ;
UNEXPECTED : . ;
