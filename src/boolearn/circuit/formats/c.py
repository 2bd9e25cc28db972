"""C: a file that needs nothing but a compiler, evaluating 64 items at a time."""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.formats.infix import infix
from boolearn.circuit.names import escape, in_words, name_signals
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text

_INTEGERS = [
    f"{sign}INT{kind}"
    for sign in ("", "U")
    for kind in (*(f"{least}{bits}" for least in ("", "_LEAST", "_FAST") for bits in (8, 16, 32, 64)), "MAX", "PTR")
]
_OTHER_TYPES = ["PTRDIFF", "SIG_ATOMIC", "SIZE", "RSIZE", "WCHAR", "WINT"]
_MACROS = [f"{name}_{what}" for name in _INTEGERS + _OTHER_TYPES for what in ("MIN", "MAX", "WIDTH", "C")]
"""Of <stdint.h>."""

# Reserved by C23 and C++20, what compilers and <stddef.h> define as macros, and the names the function uses itself.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual
    void volatile wchar_t while xor xor_eq
    NULL offsetof unreachable linux unix i386 size_t uint64_t in out words word
    """.split()  # noqa: SIM905 (a list of a hundred strings would be unreadable)
).union(_MACROS)

_CONSTANTS = "UINT64_C(0)", "~UINT64_C(0)"
_MAJORITY = "({a} & {b}) | ({c} & ({a} | {b}))"

_TEMPLATE = """\
/*
 * {name}: {n_inputs} inputs, {n_outputs} outputs, {n_gates} gates.
 *
{table}
 */

#include <stddef.h>
#include <stdint.h>

void {name}_words(const uint64_t *in, uint64_t *out, size_t words);
void {name}_bits(const unsigned char *in, unsigned char *out);

/*
 * Evaluate 64 items a word, one item a bit. Signal-major: input i of word w is in[i * words + w],
 * output j is out[j * words + w]. in and out must not overlap.
 */
void {name}_words(const uint64_t *restrict in, uint64_t *restrict out, size_t words)
{{
{unused}    for (size_t word = 0; word < words; ++word) {{
{body}
    }}
}}

/* Evaluate one item, one byte a signal: 0 is false, everything else true; the answers are 0 and 1. */
void {name}_bits(const unsigned char *in, unsigned char *out)
{{
    uint64_t in_words[{input_room}] = {{0}};
    uint64_t out_words[{output_room}] = {{0}};
{copy_in}    {name}_words(in_words, out_words, 1);
{copy_out}}}
"""


def write_c(circuit: Circuit, path: PathLike, name: str = "circuit") -> None:
    """Write ``name_words``, bit-parallel over arrays of 64-bit words, and ``name_bits`` for one item."""
    prefix = _identifier(name)
    simple = decompose(circuit, majority=True, xor=True)
    names = name_signals(simple, _identifier, reserved=_RESERVED).signals
    n = len(simple.inputs)
    live = simple.live  # compilers warn about what is not used
    lines = [f"const uint64_t {names[i]} = in[{i} * words + word];" for i in range(n) if i in live]
    lines += [
        f"const uint64_t {names[index]} = {infix(gate, names, _CONSTANTS, _MAJORITY)};"
        for index, gate in enumerate(simple.gates, n)
        if index in live
    ]
    for number, (_, literal) in enumerate(simple.outputs):
        lines.append(f"out[{number} * words + word] = {'~' if literal.sign < 0 else ''}{names[literal.signal]};")
    table = [f" * in[{i}]: {_comment(label)}" for i, label in enumerate(circuit.inputs)]
    table += [f" * out[{j}]: {_comment(label)}" for j, (label, _) in enumerate(circuit.outputs)]
    m = len(circuit.outputs)
    unused = [name for name, used in (("in", any(i in live for i in range(n))), ("out", m > 0)) if not used]
    text = _TEMPLATE.format(
        name=prefix,
        n_inputs=n,
        n_outputs=m,
        n_gates=len(circuit.gates),
        table="\n".join(table) or " * no signals",
        unused="".join(f"    (void){name};\n" for name in unused),
        body="\n".join(f"        {line}" for line in lines) or "        (void)word;",
        input_room=max(n, 1),
        output_room=max(m, 1),
        copy_in=_loop(n, "in_words[i] = in[i] != 0;") or "    (void)in;\n",
        copy_out=_loop(m, "out[i] = (unsigned char)(out_words[i] & 1);") or "    (void)out;\n",
    )
    write_text(path, text)


def _loop(count: int, statement: str) -> str:
    return f"    for (size_t i = 0; i < {count}; ++i)\n        {statement}\n" if count else ""


def _identifier(name: str) -> str:
    """Letters, digits and single underscores, beginning with a letter: nothing C or C++ keeps for itself."""
    plain = in_words(name)
    return plain if plain[:1].isalpha() else f"s{plain}"


def _comment(name: str) -> str:
    """A name that can stand in a comment: it cannot end it, and a backslash cannot join lines."""
    return escape(name, "\\?").replace("*/", "*%2F").replace("/*", "%2F*")
