//! The runtime's files on disk, since compilers read files: part of this program, written where the tools are.
//! The guards of C++ (CC-012) stand in libc.c.

use crate::error::{io, Error};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use weft_toolbox::Toolbox;

/// weft.h keeps barriers and joins in one place whatever is copied (CC-050, 051).
const FILES: &[(&str, &str)] = &[
    ("include/weft.h", include_str!("../../kernels/weft.h")),
    (
        "include/weft_queue.h",
        include_str!("../../kernels/weft_queue.h"),
    ),
    (
        "include/assert.h",
        include_str!("../runtime/include/assert.h"),
    ),
    (
        "include/stdio.h",
        include_str!("../runtime/include/stdio.h"),
    ),
    (
        "include/stdlib.h",
        include_str!("../runtime/include/stdlib.h"),
    ),
    (
        "include/string.h",
        include_str!("../runtime/include/string.h"),
    ),
    ("start.s", include_str!("../runtime/start.s")),
    ("libc.c", include_str!("../runtime/libc.c")),
    ("record.h", include_str!("../runtime/record.h")),
    ("atomic.c", include_str!("../runtime/atomic.c")),
    ("opencl_print.c", include_str!("../runtime/opencl_print.c")),
    ("string.c", include_str!("../runtime/string.c")),
    ("stdio.c", include_str!("../runtime/stdio.c")),
    ("stdlib.c", include_str!("../runtime/stdlib.c")),
    ("math.c", include_str!("../runtime/math.c")),
    ("math_hard.h", include_str!("../runtime/math_hard.h")),
    ("math_bits.h", include_str!("../runtime/math_bits.h")),
    ("math_exact.h", include_str!("../runtime/math_exact.h")),
    ("math_double.c", include_str!("../runtime/math_double.c")),
    ("math_series.c", include_str!("../runtime/math_series.c")),
    ("setjmp.c", include_str!("../runtime/setjmp.c")),
    (
        "include/inttypes.h",
        include_str!("../runtime/include/inttypes.h"),
    ),
    (
        "include/memory.h",
        include_str!("../runtime/include/memory.h"),
    ),
    (
        "include/setjmp.h",
        include_str!("../runtime/include/setjmp.h"),
    ),
    (
        "include/alloca.h",
        include_str!("../runtime/include/alloca.h"),
    ),
    (
        "include/ctype.h",
        include_str!("../runtime/include/ctype.h"),
    ),
    (
        "include/errno.h",
        include_str!("../runtime/include/errno.h"),
    ),
    ("include/math.h", include_str!("../runtime/include/math.h")),
    (
        "opencl/weft_cl.h",
        include_str!("../runtime/opencl/weft_cl.h"),
    ),
    (
        "opencl/vectors.h",
        include_str!("../runtime/opencl/vectors.h"),
    ),
    (
        "opencl/builtins.cl",
        include_str!("../runtime/opencl/builtins.cl"),
    ),
    ("opencl/work.cl", include_str!("../runtime/opencl/work.cl")),
    (
        "opencl/integer.cl",
        include_str!("../runtime/opencl/integer.cl"),
    ),
    ("opencl/math.cl", include_str!("../runtime/opencl/math.cl")),
    (
        "opencl/math_gamma.cl",
        include_str!("../runtime/opencl/math_gamma.cl"),
    ),
    (
        "opencl/math_vectors.cl",
        include_str!("../runtime/opencl/math_vectors.cl"),
    ),
    (
        "opencl/common.cl",
        include_str!("../runtime/opencl/common.cl"),
    ),
    (
        "opencl/memory.cl",
        include_str!("../runtime/opencl/memory.cl"),
    ),
    (
        "opencl/atomics.cl",
        include_str!("../runtime/opencl/atomics.cl"),
    ),
    (
        "opencl/convert.cl",
        include_str!("../runtime/opencl/convert.cl"),
    ),
    ("opencl/ids.c", include_str!("../runtime/opencl/ids.c")),
    ("weft.ld", include_str!("../runtime/weft.ld")),
    (
        "README",
        "Written by `weft cc`, from cc/runtime/; may be deleted.\n",
    ),
];

/// Sources beside libc.c, each with the functions by which a program comes to need it.
#[rustfmt::skip]
pub(crate) const LIBRARY: &[(&str, &[&str])] = &[
    ("atomic.c", &[
        "__atomic_load", "__atomic_store", "__atomic_exchange", "__atomic_compare_exchange",
        "__atomic_is_lock_free",
        "__atomic_load_1", "__atomic_load_2", "__atomic_load_8",
        "__atomic_store_1", "__atomic_store_2", "__atomic_store_8",
        "__atomic_exchange_1", "__atomic_exchange_2", "__atomic_exchange_8",
        "__atomic_compare_exchange_1", "__atomic_compare_exchange_2", "__atomic_compare_exchange_8",
        "__atomic_fetch_add_1", "__atomic_fetch_add_2", "__atomic_fetch_add_8",
        "__atomic_fetch_sub_1", "__atomic_fetch_sub_2", "__atomic_fetch_sub_8",
        "__atomic_fetch_and_1", "__atomic_fetch_and_2", "__atomic_fetch_and_8",
        "__atomic_fetch_or_1", "__atomic_fetch_or_2", "__atomic_fetch_or_8",
        "__atomic_fetch_xor_1", "__atomic_fetch_xor_2", "__atomic_fetch_xor_8",
        "__atomic_fetch_nand_1", "__atomic_fetch_nand_2", "__atomic_fetch_nand_8",
        "__sync_fetch_and_add_1", "__sync_fetch_and_add_2", "__sync_fetch_and_add_8",
        "__sync_fetch_and_sub_1", "__sync_fetch_and_sub_2", "__sync_fetch_and_sub_8",
        "__sync_fetch_and_and_1", "__sync_fetch_and_and_2", "__sync_fetch_and_and_8",
        "__sync_fetch_and_or_1", "__sync_fetch_and_or_2", "__sync_fetch_and_or_8",
        "__sync_fetch_and_xor_1", "__sync_fetch_and_xor_2", "__sync_fetch_and_xor_8",
        "__sync_fetch_and_nand_1", "__sync_fetch_and_nand_2", "__sync_fetch_and_nand_8",
        "__sync_add_and_fetch_1", "__sync_add_and_fetch_2", "__sync_add_and_fetch_8",
        "__sync_sub_and_fetch_1", "__sync_sub_and_fetch_2", "__sync_sub_and_fetch_8",
        "__sync_and_and_fetch_1", "__sync_and_and_fetch_2", "__sync_and_and_fetch_8",
        "__sync_or_and_fetch_1", "__sync_or_and_fetch_2", "__sync_or_and_fetch_8",
        "__sync_xor_and_fetch_1", "__sync_xor_and_fetch_2", "__sync_xor_and_fetch_8",
        "__sync_nand_and_fetch_1", "__sync_nand_and_fetch_2", "__sync_nand_and_fetch_8",
        "__sync_val_compare_and_swap_1", "__sync_val_compare_and_swap_2", "__sync_val_compare_and_swap_8",
        "__sync_bool_compare_and_swap_1", "__sync_bool_compare_and_swap_2", "__sync_bool_compare_and_swap_8",
        "__sync_lock_test_and_set_1", "__sync_lock_test_and_set_2", "__sync_lock_test_and_set_8",
        "__sync_lock_release_1", "__sync_lock_release_2", "__sync_lock_release_8",
    ]),
    ("string.c", &[
        "memchr", "stpcpy", "strcat", "strchr", "strcspn", "strdup", "strncat", "strncmp", "strncpy", "strnlen",
        "strpbrk", "strrchr", "strspn", "strstr", "strtok", "strtok_r",
        "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
        "isupper", "isxdigit", "tolower", "toupper",
    ]),
    ("opencl_print.c", &["__weft_opencl_printf"]),
    ("stdio.c", &["snprintf", "sprintf", "vsnprintf", "vsprintf"]),
    ("stdlib.c", &[
        "_ZdaPv", "_ZdaPvj", "_ZdlPv", "_ZdlPvj", "_Znaj", "_Znwj", "atoi", "atol", "atoll", "bsearch", "calloc",
        "errno", "free", "malloc", "qsort", "rand", "realloc", "srand", "strtol", "strtoll", "strtoul", "strtoull",
    ]),
    ("math.c", &[
        "atan2f", "atanf", "ceilf", "copysignf", "cosf", "exp2f", "expf", "fabsf", "floorf", "fmaxf", "fminf",
        "fmodf", "log10f", "log2f", "logf", "powf", "roundf", "sinf", "sqrtf", "tanf", "truncf",
        // Of a machine with float; else of math_series.c.
        "acosf", "acoshf", "asinf", "asinhf", "atanhf", "cbrtf", "coshf", "expm1f", "hypotf", "log1pf", "sinhf", "tanhf",
    ]),
    ("math_double.c", &[
        "ceil", "copysign", "fabs", "floor", "fmax", "fmin", "fmod", "frexp", "ldexp", "modf", "round", "scalbn", "sqrt",
        "trunc",
    ]),
    ("math_series.c", &[
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "hypot",
        "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh",
        "acosf", "acoshf", "asinf", "asinhf", "atanhf", "cbrtf", "coshf", "expm1f", "hypotf", "log1pf", "sinhf", "tanhf",
    ]),
    ("setjmp.c", &["longjmp", "setjmp"]),
];

/// What libc.c has, and headers declare.
#[rustfmt::skip]
pub(crate) const CORE: &[&str] = &[
    "abort", "atexit", "exit", "fflush", "fprintf", "fputc", "fputs", "memcmp", "memcpy", "memmove", "memset", "printf",
    "putc", "putchar", "puts", "strcmp", "strcpy", "strlen", "vfprintf", "vprintf",
];

/// True if C's library has a function or variable of this name.
pub(crate) fn has(name: &str) -> bool {
    let mut more = LIBRARY.iter().flat_map(|(_, names)| *names);
    CORE.contains(&name) || more.any(|other| *other == name)
}

/// CC-028: assembly of the library in which its functions give way to a program's own.
pub(crate) fn weak(assembly: &str) -> String {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let global = words.next() == Some(".globl");
        let name = words
            .next()
            .filter(|name| global && *name != "errno" && has(name));
        name.map_or(format!("{line}\n"), |name| format!("\t.weak\t{name}\n"))
    };
    assembly.lines().map(line).collect()
}

/// The runtime on disk, below `.tools/cache/cc`.
pub(crate) struct Runtime {
    dir: PathBuf,
}

impl Runtime {
    /// Writes what is not there yet. The folder's name is made of the contents, so it is never stale.
    pub(crate) fn unpack(toolbox: &Toolbox) -> Result<Runtime, Error> {
        let cache = toolbox.tools_dir().join("cache/cc");
        let dir = cache.join(format!("runtime-{:016x}", hash(FILES)));
        if dir.join("README").is_file() {
            return Ok(Runtime { dir });
        }
        for (name, contents) in FILES {
            write_whole(&dir.join(name), contents.as_bytes())?;
        }
        Ok(Runtime { dir })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Place of something that is made once of these files and of `key`.
    pub(crate) fn made(&self, name: &str, key: impl Hash) -> PathBuf {
        self.dir.join(format!("{:016x}-{name}", hash(&key)))
    }
}

/// Through a file of another name: nobody sees half of it.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let go = || {
        fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        std::io::Write::write_all(&mut file, contents)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    go().map_err(io(path.display()))
}

fn hash(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_once_and_anew_after_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::at(dir.path());
        let first = Runtime::unpack(&toolbox).unwrap();
        assert!(fs::read_to_string(first.file("start.s"))
            .unwrap()
            .contains("_start"));
        fs::write(first.file("start.s"), "changed").unwrap();
        let again = Runtime::unpack(&toolbox).unwrap();
        assert_eq!(
            fs::read_to_string(again.file("start.s")).unwrap(),
            "changed"
        );
        fs::remove_file(first.file("README")).unwrap();
        let whole = Runtime::unpack(&toolbox).unwrap();
        assert!(fs::read_to_string(whole.file("start.s"))
            .unwrap()
            .contains("_start"));
        assert_ne!(first.made("x.o", 1), first.made("x.o", 2));
    }
}
