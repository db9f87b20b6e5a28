type Going = { id: string; to: string; permanent: boolean }
type Record = { title: string; description: string; keywords: string[]; previewImageUrl: string }
export type SiteState = {
  /** Undefined while the database is away. */
  revision: number | undefined
  redirects: Map<string, Going>
  records: Map<string, Record>
}

/** What the rendering of the public pages asks of those who keep the site. */
export type Site = {
  current: () => Promise<SiteState>
  /** A redirection was followed. */
  count: (id: string) => void
}
