// C11 with the extensions of GCC that programs for Linux use, after the preprocessor. Names of types
// are tokens of their own (TYPE_NAME): what reads the tokens knows which names have been typedefed.
grammar C;

translationUnit : external* EOF ;
external : function | declaration | asm_ ';' | ';' ;
function : specifier* declarator declaration* block ;

declaration
    : specifier+ (initDeclarator (',' initDeclarator)*)? ';'
    | '_Static_assert' '(' expr (',' STRING+)? ')' ';'
    ;
initDeclarator : declarator asm_? attribute* ('=' initializer)? ;
initializer    : expr | '{' (initialPart (',' initialPart)* ','?)? '}' ;
initialPart    : (designator+ '=' | ID ':')? initializer ;
designator     : '[' expr ('...' expr)? ']' | '.' ID ;

specifier
    : storage=('typedef' | 'extern' | 'static' | '_Thread_local' | '__thread' | '__CPROVER_thread_local' | 'auto' | 'register')
    | qualifier
    | ('inline' | '__inline' | '__inline__' | '_Noreturn')
    | typeSpecifier
    | attribute
    | '_Alignas' '(' (typeName | expr) ')'
    ;
qualifier : 'const' | '__const' | 'volatile' | '__volatile__' | '__volatile' | 'restrict' | '__restrict'
          | '__restrict__' | '_Atomic' | '__extension__' ;
typeSpecifier
    : word=('void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | 'signed' | '__signed__'
    | 'unsigned' | '_Bool' | '__int128' | '_Complex' | '__builtin_va_list')  # BasicType
    | TYPE_NAME                                             # NamedType
    | kind=('struct' | 'union') attribute* tag? '{' member* '}' attribute*  # StructType
    | kind=('struct' | 'union') attribute* tag              # StructReference
    | 'enum' attribute* tag? '{' enumerator (',' enumerator)* ','? '}' attribute*  # EnumType
    | 'enum' tag                                            # EnumReference
    | '_Atomic' '(' typeName ')'                            # AtomicType
    | ('typeof' | '__typeof__' | '__typeof') '(' (typeName | expression) ')'  # TypeOf
    ;
tag        : ID | TYPE_NAME ;
member     : specifier+ (memberDeclarator (',' memberDeclarator)*)? ';' | ';' ;
memberDeclarator : declarator (':' expr)? attribute* | ':' expr ;
enumerator : ID attribute* ('=' expr)? ;

declarator       : pointer* attribute* directDeclarator ;
pointer          : '*' (qualifier | attribute)* ;
directDeclarator
    : ID                                                    # DeclaredName
    | '(' declarator ')'                                    # NestedDeclarator
    | directDeclarator '[' (qualifier | 'static')* (expr | '*')? ']'  # ArrayDeclarator
    | directDeclarator '(' parameters? ')' attribute*       # FunctionDeclarator
    ;
parameters : parameter (',' parameter)* (',' ellipsis='...')? ;
parameter  : specifier+ (declarator | abstractDeclarator)? attribute* | ID ;
typeName   : specifier+ abstractDeclarator? ;
abstractDeclarator : pointer+ directAbstract? | directAbstract ;
directAbstract : abstractPart+ ;
abstractPart
    : '(' abstractDeclarator ')'
    | '[' (qualifier | 'static')* (expr | '*')? ']'
    | '(' parameters? ')'
    ;

attribute : ('__attribute__' | '__attribute') '(' '(' balanced* ')' ')' ;
balanced  : '(' balanced* ')' | ~('(' | ')') ;
asm_      : ('asm' | '__asm__' | '__asm') ('volatile' | '__volatile__' | '__volatile' | 'goto' | 'inline')*
            '(' STRING+ (asmPart)* ')' ;
asmPart   : ':' (asmOperand (',' asmOperand)*)? ;
asmOperand : ('[' ID ']')? STRING+ ('(' expression ')')? | ID ;

block     : '{' blockItem* '}' ;
blockItem : declaration | statement ;
statement
    : ID ':' attribute* statement                           # Labelled
    | 'case' expr ('...' expr)? ':' blockItem?              # Case
    | 'default' ':' blockItem?                              # Default
    | block                                                 # Compound
    | expression? ';'                                       # Expressed
    | 'if' '(' expression ')' yes=statement ('else' no=statement)?  # If
    | 'switch' '(' expression ')' statement                 # Switch
    | 'while' '(' expression ')' statement                  # While
    | 'do' statement 'while' '(' expression ')' ';'         # Do
    | 'for' '(' (declaration | init=expression? ';') test=expression? ';' step=expression? ')' statement  # For
    | 'goto' ID ';'                                         # Goto
    | 'continue' ';'                                        # Continue
    | 'break' ';'                                           # Break
    | 'return' expression? ';'                              # Return
    | asm_ ';'                                              # Assembly
    ;

expression : expr (',' expr)* ;
expr
    : ID                                                    # Name
    | constant                                              # Literal
    | STRING+                                               # Text
    | '(' expression ')'                                    # Parenthesis
    | '(' block ')'                                         # StatementExpression
    | '_Generic' '(' expr (',' (typeName | 'default') ':' expr)+ ')'  # Generic
    | ('__builtin_offsetof' | '__builtin_va_arg' | '__builtin_types_compatible_p') '(' balanced* ')'  # Builtin
    | expr '[' expression ']'                               # Index
    | expr '(' (argument (',' argument)*)? ')'              # Call
    | expr op=('.' | '->') ID                               # Member_
    | expr op=('++' | '--')                                 # Postfix
    | '(' typeName ')' '{' (initialPart (',' initialPart)* ','?)? '}'  # CompoundLiteral
    | op=('++' | '--') expr                                 # Prefix
    | op=('&' | '*' | '+' | '-' | '~' | '!') expr           # Unary
    | '&&' ID                                               # LabelAddress
    | ('sizeof' | '_Alignof' | '__alignof__') '(' typeName ')'  # SizeOfType
    | 'sizeof' expr                                         # SizeOf
    | '__extension__' expr                                  # Extension
    | '(' typeName ')' expr                                 # Cast
    | left=expr op=('*' | '/' | '%') right=expr             # Binary
    | left=expr op=('+' | '-') right=expr                   # Binary
    | left=expr op=('<<' | '>>') right=expr                 # Binary
    | left=expr op=('<' | '>' | '<=' | '>=') right=expr     # Binary
    | left=expr op=('==' | '!=') right=expr                 # Binary
    | left=expr op='&' right=expr                           # Binary
    | left=expr op='^' right=expr                           # Binary
    | left=expr op='|' right=expr                           # Binary
    | left=expr op='&&' right=expr                          # Binary
    | left=expr op='||' right=expr                          # Binary
    | <assoc=right> test=expr '?' yes=expression? ':' no=expr     # Conditional
    | <assoc=right> left=expr op=('=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=')
      right=expr                                            # Assignment
    ;
argument : expr | typeName ;
constant : INT | FLOAT | CHARACTER ;

// Never made by the lexer: names that are types become this before the parser sees them.
TYPE_NAME : '\u0000' ;

ID        : [a-zA-Z_$] [a-zA-Z0-9_$]* ;
INT       : ('0' [xX] [0-9a-fA-F]+ | '0' [bB] [01]+ | [0-9]+) [uUlL]* ;
FLOAT     : ([0-9]+ '.' [0-9]* | '.' [0-9]+) ([eE] [+-]? [0-9]+)? [fFlL]?
          | [0-9]+ [eE] [+-]? [0-9]+ [fFlL]? ;
CHARACTER : [LuU]? '\'' (~['\\\r\n] | '\\' .)+ '\'' ;
STRING    : ('u8' | [LuU])? '"' (~["\\\r\n] | '\\' .)* '"' ;

LINE_COMMENT  : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;
DIRECTIVE     : '#' ~[\r\n]* -> skip ;
SPACE         : [ \t\r\n\f]+ -> skip ;
UNEXPECTED    : . ;
