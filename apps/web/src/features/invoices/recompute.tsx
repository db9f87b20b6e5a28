import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import Calculator from 'lucide-react/icons/calculator'
import { useState } from 'react'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RecomputedPartView } from './steps.tsx'

function RecomputedParts({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(invoices.recompute, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-48 w-full" />
  return (
    <div className="animate-appear">
      <p role="status" className={data.same ? 'font-medium text-success' : 'font-medium text-danger'}>
        {data.same
          ? 'Chaque montant, recalculé à partir des quantités et des prix, est celui du document.'
          : 'Un montant recalculé diffère du document\u00a0: il est marqué ci-dessous.'}
      </p>
      <div className="mt-2 divide-y divide-line">
        {data.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an issued document never change
          <RecomputedPartView key={`${part.part} ${at}`} part={part} />
        ))}
      </div>
    </div>
  )
}

/** The arithmetic in front of the reader: what went in, exactly, and rounded once. */
export function Recompute({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Recalculer"
      description="Toutes les opérations, de l’énergie mesurée au centime, refaites devant vous."
      actions={
        !open && (
          <Button variant="secondary" icon={<Calculator aria-hidden="true" />} onClick={() => setOpen(true)}>
            Recalculer ce document
          </Button>
        )
      }
    >
      {open && <RecomputedParts id={id} />}
    </Card>
  )
}
