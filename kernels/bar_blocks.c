// Letters of a text in lower case, packed by all threads together: each has a block of the text, and a critical section gives
// every block its place in the order of the threads.
//
// Shows the barriers of weft.h in C: arrive now and wait later, a section, one for some of the threads only, and weft_sync().
//
// In: data/gettysburg at `text`, zeros behind it. Out: letters, total[1]; vowels[1], first[1] (the first thread that found one);
// seen[thread] (the total as every thread sees it at the end). Check: the sequential filter, byte for byte.

#include "weft.h"

enum { ROOM = 2048, MOST = 1024 };

unsigned char text[ROOM];
unsigned char letters[ROOM];
unsigned total, vowels;
unsigned first = MOST;
unsigned blocks, seen[MOST];

static int letter(unsigned char byte)
{
    return (unsigned char)((byte | 32) - 'a') < 26;
}

void kernel(unsigned thread, unsigned threads)
{
    unsigned each = (ROOM + threads - 1) / threads;
    unsigned from = thread * each, to = from + each;
    if (from > ROOM)
        from = ROOM;
    if (to > ROOM)
        to = ROOM;

    __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
    WEFT_BAR_ARRIVE(1, 0);
    unsigned count = 0, vowel = 0;
    for (unsigned i = from; i < to; ++i) {
        unsigned char byte = text[i] | 32;
        count += letter(byte);
        vowel += byte == 'a' || byte == 'e' || byte == 'i' || byte == 'o' || byte == 'u';
    }
    WEFT_BAR_WAIT(1, 0);
    // All have arrived.
    unsigned all = blocks;

    WEFT_SECTION_ENTER(2);
    unsigned at = total;
    total = at + count;
    WEFT_SECTION_LEAVE(2);

    WEFT_SECTION_ENTER_IF(3, vowel);
    if (vowel) {
        if (first == MOST)
            first = thread;
        vowels += vowel;
        WEFT_SECTION_LEAVE(3);
    }

    for (unsigned i = from; i < to; ++i)
        if (letter(text[i]))
            letters[at++] = text[i] | 32;

    weft_sync();
    seen[thread] = all == threads ? total : 0;
}
