type Redirection = { id: string; to: string; permanent: boolean }
type PageRecord = { title: string; description: string; keywords: string[]; previewImageUrl: string }
export type SiteState = {
  /** Undefined while the database is away. */
  revision: number | undefined
  redirects: Map<string, Redirection>
  records: Map<string, PageRecord>
}

/** What the rendering of the public pages asks of those who keep the site. */
export type SiteStateProvider = {
  current: () => Promise<SiteState>
  /** A redirection was followed. */
  count: (id: string) => void
}
