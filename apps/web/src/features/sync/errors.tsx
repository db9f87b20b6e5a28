import { useSearchParams } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ErrorGroups } from './errors/groups.tsx'
import { ErrorList } from './errors/list.tsx'

const VIEW_PARAM = 'vue'

/** What the distributor refused or could not give: by cause first, because one cause often explains many lines. */
export default function ErrorLog() {
  const [search, setSearch] = useSearchParams()
  return (
    <>
      <PageHeader
        title="Journal d’erreurs"
        description="Ce que le distributeur a refusé ou n’a pas pu donner, et ce qu’il y a à faire."
      />
      <Tabs
        label="Vues du journal"
        value={search.get(VIEW_PARAM) === 'liste' ? 'liste' : 'causes'}
        onChange={(view) =>
          setSearch(view === 'liste' ? { [VIEW_PARAM]: 'liste', handled: 'false' } : {}, {
            replace: true,
            preventScrollReset: true,
          })
        }
        tabs={[
          { value: 'causes', label: 'Par cause', content: <ErrorGroups /> },
          { value: 'liste', label: 'Toutes les erreurs', content: <ErrorList /> },
        ]}
      />
    </>
  )
}
