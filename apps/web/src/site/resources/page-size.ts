/** How many of a shelf one page holds. */
export const PAGE_SIZE = 12
