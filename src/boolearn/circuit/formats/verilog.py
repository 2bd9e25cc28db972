"""Verilog: one module, one ``assign`` a gate.

Gates have two inputs, majorities three: readers of netlists stumble over longer expressions, some silently.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.formats.infix import infix
from boolearn.circuit.names import escape, name_signals
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ON_A_LINE = 8
_CONSTANTS = "1'b0", "1'b1"
_MAJORITY = "({a} & {b}) | ({a} & {c}) | ({b} & {c})"

# Reserved by IEEE 1364-2005 and 1800-2017.
_RESERVED = frozenset(
    """
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind
    bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config
    const constraint context continue cover covergroup coverpoint cross deassign default defparam design disable
    dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup
    endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask
    enum event eventually expect export extends extern final first_match for force foreach forever fork forkjoin
    function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import
    incdir include initial inout input inside instance int integer interconnect interface intersect join join_any
    join_none large let liblist library local localparam logic longint macromodule matches medium modport module
    nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
    parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown pullup
    pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg
    reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime
    s_until s_until_with scalared sequence shortint shortreal showcancelled signed small soft solve specify
    specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table
    tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg
    type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait
    wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
    """.split()  # noqa: SIM905 (a list of 200 strings would be unreadable)
)


def write_verilog(circuit: Circuit, path: PathLike, module: str = "top") -> None:
    """Write a module whose ports are the circuit's inputs, then its outputs. Some readers want it to be called top."""
    simple = decompose(circuit, majority=True, xor=True, fan_in=2)
    names = name_signals(simple, _identifier)
    n = len(simple.inputs)
    lines = [f"module {_identifier(module)}("]
    lines += _wrapped("  ", (*names.signals[:n], *names.outputs), "")
    lines.append(");")
    outputs = set(names.outputs)
    wires = [token for token in names.signals[n:] if token not in outputs]
    for word, tokens in (("input", names.signals[:n]), ("output", names.outputs), ("wire", wires)):
        if tokens:
            lines += _wrapped(f"  {word} ", tokens, ";")
    for token, gate in zip(names.signals[n:], simple.gates, strict=True):
        lines.append(f"  assign {token} = {infix(gate, names.signals, _CONSTANTS, _MAJORITY)};")
    for token, (_, literal) in zip(names.outputs, simple.outputs, strict=True):
        source = names.signals[literal.signal]
        if token != source:
            lines.append(f"  assign {token} = {'~' if literal.sign < 0 else ''}{source};")
    lines.append("endmodule")
    write_text(path, "\n".join(lines) + "\n")


def _identifier(name: str) -> str:
    """The name itself where Verilog allows it, else as an escaped identifier, which ends with its space."""
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        return name
    return f"\\{escape(name, ' ')} "


def _wrapped(start: str, tokens: Sequence[str], end: str) -> list[str]:
    rows = [", ".join(tokens[first : first + _ON_A_LINE]) for first in range(0, len(tokens), _ON_A_LINE)]
    return (start + (",\n" + " " * len(start)).join(rows) + end).split("\n") if rows else []
