import { useQuery } from '@tanstack/react-query'
import { whiteLabel } from '@voisol/contract/white-label'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BrandForm } from './brand-form.tsx'
import { DomainCard } from './domain-card.tsx'
import { AppearanceFacts } from './facts.tsx'

function BrandEditor({ companyId, name }: { companyId: number; name: string }) {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(whiteLabel.get, { params: { companyId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  // Before something is chosen the public answer names nobody.
  const brand = data.version === 0 ? { ...data, companyName: name } : data
  if (!can(whiteLabel.update)) return <AppearanceFacts brand={brand} />
  return (
    <div className="grid gap-6">
      <BrandForm key={data.version} brand={brand} companyId={companyId} />
      <DomainCard key={`domain ${data.version}`} brand={brand} companyId={companyId} />
    </div>
  )
}

/** The company's look: chosen, tried and kept. */
export function BrandPanel() {
  const { user } = useSession()
  return user && <BrandEditor companyId={user.companyId} name={user.companyName} />
}
