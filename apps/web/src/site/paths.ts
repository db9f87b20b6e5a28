/** The addresses of the site's pages, apart from the pages so that a page may ask whether another exists. */
export const paths = [
  '/',
  '/home',
  '/platform',
  '/solutions',
  '/solutions/collective',
  '/solutions/residential',
  '/solutions/industrial',
  '/expertise',
  '/status',
] as const
export type PagePath = (typeof paths)[number]
