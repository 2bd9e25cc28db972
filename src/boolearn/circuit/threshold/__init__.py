"""Threshold functions by themselves: what they depend on, their smallest weights, ways to compute them.

relevance
    Which inputs matter, and the same function over those alone.
integer_weights, small_functions
    The smallest weights for given values; all functions of up to four inputs.
diagram, binary_sum
    A threshold function as decisions on one input after another, or as a sum in binary.
"""
