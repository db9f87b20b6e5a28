import { useSearchParams } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { MemberDetail } from './members/detail.tsx'
import { MemberList } from './members/list.tsx'

/** Energy by member: the list, or one of them. */
export default function MemberDistribution() {
  const [search] = useSearchParams()
  const open = search.get('membre')
  if (open) return <MemberDetail key={open} pointId={open} />
  return (
    <>
      <PageHeader
        title="Répartition par membre"
        description="Ce que chaque participant a consommé ou produit, et la part qui est restée locale."
      />
      <MemberList />
    </>
  )
}
