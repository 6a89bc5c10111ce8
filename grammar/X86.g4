// The program table of herd7's X86 and X86_64 litmus tests: a column for each thread. Which operand
// comes first, and what instructions do, is for src/frontend/litmus.
grammar X86;

program : header row* EOF ;
header  : NAME ('|' NAME)* ';' ;
row     : cell ('|' cell)* ';' ;
cell    : label* instruction? ;
label   : NAME ':' ;

instruction : (LOCK ';'?)? mnemonic=NAME (operand (',' operand)*)? ;
operand
    : '$'? number                                         # Immediate
    | '$' NAME                                            # AddressOf
    | '%'? NAME                                           # Register
    | '[' base ']'                                        # Memory
    | segment? number? '(' base index? ')'                # Memory
    | number '[' base ']'                                 # Memory
    ;
segment : '%' NAME ':' ;
index   : ',' '%'? NAME (',' NUMBER)? ;
number : '-'? NUMBER ;
base   : '%'? (NAME | LOCK) (('+' | '-') NUMBER)? | NUMBER ;

LOCK   : 'lock' | 'LOCK' | 'Lock' ;
NUMBER : '0' [xX] [0-9a-fA-F]+ | [0-9]+ ;
NAME   : [a-zA-Z_.] [a-zA-Z0-9_.]* ;
REMARK : '#' ~[\r\n]* -> skip ;
SPACE  : [ \t\r\n\f]+ -> skip ;
UNEXPECTED : . ;
