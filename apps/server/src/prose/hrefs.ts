const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const IMAGE_PATH = new RegExp(`^/(?:api/site-images/${UUID}|(?:product|illustrations)/[A-Za-z0-9][A-Za-z0-9/_.-]*)$`)
/**
 * Browsers drop some of these characters and read others as a slash, so that the checked link would differ from the one
 * followed.
 */
const UNSAFE_CHARACTERS = /[\s\\<>"'`\p{Cc}\p{Cf}]/u
const MAILTO = /^mailto:[^\s@:/?#]+@[^\s@:/?#]+(?:\?(?:subject|body)=[^#]*)?$/i

function isWebAddress(href: string): boolean {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return false
  const { protocol, username, password, hostname } = new URL(href)
  return /^https?:$/.test(protocol) && !username && !password && hostname !== ''
}

/** A link may lead to the web, a mailbox, an address of this site or an anchor of the page. */
export function toSafeHref(href: string): string | undefined {
  const trimmed = href.trim()
  if (trimmed === '' || UNSAFE_CHARACTERS.test(trimmed)) return undefined
  const known = /^\/(?!\/)/.test(trimmed) || /^#./.test(trimmed) || MAILTO.test(trimmed) || isWebAddress(trimmed)
  return known ? trimmed : undefined
}

/** Only images of this site are allowed: an external one would tell another host who reads the page. */
export const toSafeImageSrc = (src: string): string | undefined =>
  IMAGE_PATH.test(src) && !src.includes('..') ? src : undefined

const IMAGE_ID = new RegExp(`^/api/site-images/(${UUID})$`)
export const parseSiteImageId = (src: string): string | undefined => IMAGE_ID.exec(src)?.[1]
