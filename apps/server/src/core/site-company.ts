/** The company that keeps the public site: the first one, whose number is the default company of the product. */
export const SITE_COMPANY = 1
