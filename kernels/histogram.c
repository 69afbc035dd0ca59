// Letter histogram of a text, counted by all threads together with atomic adds.
//
// Thread t reads bytes t, t + threads, t + 2 threads … Neighbouring threads read neighbouring bytes, and
// whether a byte is a letter diverges. Plain C; nothing in it knows of warps, tokens or yields.
//
// In: data/gettysburg at `text`; it ends at the first zero byte. Out: letters[26], others[1], longest[1] (the longest
// word). Check: counted in Rust.

enum { ROOM = 4096 };

unsigned char text[ROOM];
unsigned letters[26];
unsigned others;
unsigned longest;

static int letter(unsigned char byte)
{
    unsigned index = (byte | 32) - 'a';
    return index < 26 ? (int)index : -1;
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < ROOM && text[i] != 0; i += threads) {
        int index = letter(text[i]);
        if (index < 0) {
            __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED);
            continue;
        }
        __atomic_fetch_add(&letters[index], 1, __ATOMIC_RELAXED);

        // The thread at the first letter of a word measures it and keeps the maximum.
        if (i != 0 && letter(text[i - 1]) >= 0)
            continue;
        unsigned end = i + 1;
        while (end < ROOM && letter(text[end]) >= 0)
            ++end;
        unsigned seen = __atomic_load_n(&longest, __ATOMIC_RELAXED);
        while (seen < end - i
               && !__atomic_compare_exchange_n(&longest, &seen, end - i, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
    }
}
