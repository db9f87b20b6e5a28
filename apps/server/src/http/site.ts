type Redirection = { id: string; to: string; permanent: boolean }
type PageRecord = { title: string; description: string; keywords: string[]; previewImageUrl: string }
export type SiteState = {
  /** Undefined while the database is unavailable. */
  revision: number | undefined
  redirects: Map<string, Redirection>
  records: Map<string, PageRecord>
}

/** What rendering the public pages needs to know about the site. */
export type SiteStateProvider = {
  current: () => Promise<SiteState>
  /** Counts the use of a redirect. */
  count: (id: string) => void
}
