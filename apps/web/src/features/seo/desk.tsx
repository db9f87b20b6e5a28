import { useSearchParams } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { SeoPageList } from './page-list.tsx'
import { RedirectList } from './redirect-list.tsx'
import { SiteMap } from './site-map.tsx'

const TABS = [
  { value: 'pages', label: 'Pages', content: <SeoPageList /> },
  { value: 'redirections', label: 'Redirections', content: <RedirectList /> },
  { value: 'plan', label: 'Plan du site', content: <SiteMap /> },
]

/** What search engines and shared links show of the public site. */
export default function SeoPage() {
  const [search, setSearch] = useSearchParams()
  const tabParam = search.get('onglet')
  const tab = TABS.find(({ value }) => value === tabParam)?.value ?? 'pages'
  return (
    <>
      <PageHeader
        title="Référencement"
        description="Ce que les moteurs de recherche et les liens partagés montrent de chaque page du site. Un changement est en ligne aussitôt."
      />
      {/* Filters belong to their tab: another one starts without them. */}
      <Tabs label="Référencement" tabs={TABS} value={tab} onChange={(onglet) => setSearch({ onglet })} />
    </>
  )
}
