// Jump table, strings, division, 64-bit multiplication, a table of pointers.

const char *names[] = {"zero", "one", "two", "tab\t\"quoted\" \\ \001", "four"};
static const unsigned short weights[] = {1, 0xFFFF, 3, 0x8000};
unsigned long long product = 0x123456789ABCDEF0ULL;
static signed char counts[7] = {-1, 2, -3};
char out[16];
int total;

int choose(int which, int value)
{
    switch (which) {
    case 0: return value + 1;
    case 1: return value * 3;
    case 2: return value / 7;
    case 3: return value % 10;
    case 4: return value ^ 0x55555;
    case 5: return -value;
    case 6: return value << 3;
    case 7: return (unsigned)value >> 5;
    default: return 0;
    }
}

void kernel(unsigned thread, unsigned threads)
{
    const char *name = names[thread % 5];
    for (int i = 0; name[i] != 0; i++)
        out[i & 15] += name[i];
    product *= thread + 0x100000001ULL;
    total = choose((int)thread & 7, total + weights[thread & 3] + counts[threads % 7]);
}
