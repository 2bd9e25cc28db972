"""Proofs that two things compute the same function, by trying every input or by SAT."""
