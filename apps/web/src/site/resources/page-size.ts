/** How many of a shelf one page holds. */
export const CONTENT_PAGE_SIZE = 12
