/* A library that does nothing but take up pages, so that those loaded after it lie elsewhere. */
volatile char padding[PAGES * 4096];
