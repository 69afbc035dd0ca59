/* Memory of the function that asks, from the thread's stack: alloca.h of programs that `weft cc` builds. */
#ifndef WEFT_ALLOCA_H
#define WEFT_ALLOCA_H

#include <stddef.h>

#define alloca(bytes) __builtin_alloca(bytes)

#endif
