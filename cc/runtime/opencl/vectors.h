/* Functions of vectors from those of their elements. Vectors of three are no two halves. */

#define VECTORS1(R, name, A) \
    PURE R##2 name(A##2 a) { return (R##2)(name(a.s0), name(a.s1)); } \
    PURE R##3 name(A##3 a) { return (R##3)(name(a.s0), name(a.s1), name(a.s2)); } \
    PURE R##4 name(A##4 a) { return (R##4)(name(a.lo), name(a.hi)); } \
    PURE R##8 name(A##8 a) { return (R##8)(name(a.lo), name(a.hi)); } \
    PURE R##16 name(A##16 a) { return (R##16)(name(a.lo), name(a.hi)); }

#define VECTORS2(R, name, A, B) \
    PURE R##2 name(A##2 a, B##2 b) { return (R##2)(name(a.s0, b.s0), name(a.s1, b.s1)); } \
    PURE R##3 name(A##3 a, B##3 b) { return (R##3)(name(a.s0, b.s0), name(a.s1, b.s1), name(a.s2, b.s2)); } \
    PURE R##4 name(A##4 a, B##4 b) { return (R##4)(name(a.lo, b.lo), name(a.hi, b.hi)); } \
    PURE R##8 name(A##8 a, B##8 b) { return (R##8)(name(a.lo, b.lo), name(a.hi, b.hi)); } \
    PURE R##16 name(A##16 a, B##16 b) { return (R##16)(name(a.lo, b.lo), name(a.hi, b.hi)); }

#define VECTORS3(R, name, A, B, C) \
    PURE R##2 name(A##2 a, B##2 b, C##2 c) { return (R##2)(name(a.s0, b.s0, c.s0), name(a.s1, b.s1, c.s1)); } \
    PURE R##3 name(A##3 a, B##3 b, C##3 c) \
    { \
        return (R##3)(name(a.s0, b.s0, c.s0), name(a.s1, b.s1, c.s1), name(a.s2, b.s2, c.s2)); \
    } \
    PURE R##4 name(A##4 a, B##4 b, C##4 c) { return (R##4)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); } \
    PURE R##8 name(A##8 a, B##8 b, C##8 c) { return (R##8)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); } \
    PURE R##16 name(A##16 a, B##16 b, C##16 c) { return (R##16)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); }

/* Something for each width. */
#define EACH_VECTOR(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define EACH_WIDTH(M, ...) M(, __VA_ARGS__) EACH_VECTOR(M, __VA_ARGS__)
