export { buildFullTitle, DEFAULT_METADATA, PRODUCT_NAME } from '@voisol/contract/page-title'

export type PageMetadata = { title: string; description: string; image?: string | undefined }
export type PageHandle = {
  title?: string
  description?: string | undefined
  notFound?: boolean
  /** A page of the public site, which search engines may find. */
  site?: boolean
  noIndex?: boolean
  /** The same page under its first address, for search engines. */
  canonical?: string
  /** Of a page whose title is in its data; null says that there is no such page. */
  meta?: (data: unknown) => PageMetadata | null
}

/** What a page says of itself: with its data where they carry the title. */
export function resolvePageHandle(handle: PageHandle, data: unknown): PageHandle & { image?: string | undefined } {
  if (!handle.meta) return handle
  const meta = handle.meta(data)
  return meta ? { ...handle, ...meta } : { title: 'Page introuvable', notFound: true }
}
