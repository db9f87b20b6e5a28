import { useQuery } from '@tanstack/react-query'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { parties } from '@voisol/contract/parties'
import { Suspense, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { buildBuyerFacts } from '../../../../components/buyer/buyer-facts.tsx'
import { PartyIssues } from '../../../../components/issue-list.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { useCan } from '../../../../lib/can.tsx'
import { query } from '../../../../lib/queries.ts'
import type { Facts, Section } from './drawer-section.tsx'

const BuyerDialog = lazy(() => import('../../../../components/buyer/buyer-dialog.tsx'))

type Props = { participant: ParticipantDetail; parts: { Section: typeof Section; Facts: typeof Facts } }

/** What invoices print of this participant, in the parts of the sheet it stands in. */
export default function ParticipantBilling({ participant: { id }, parts }: Props) {
  const { Section, Facts } = parts
  const { data } = useQuery(query(parties.buyer, { params: { id } }))
  const [open, setOpen] = useState(false)
  const can = useCan()
  return (
    <Section
      title="Identité de facturation"
      actions={
        can(parties.saveBuyer) && (
          <Button
            variant="secondary"
            size="small"
            aria-label="Modifier l’identité de facturation"
            onClick={() => setOpen(true)}
          >
            Modifier
          </Button>
        )
      }
    >
      {data ? (
        <div className="grid gap-3">
          <PartyIssues issues={data.issues} />
          <Facts facts={buildBuyerFacts(data)} />
        </div>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
      <Suspense fallback={null}>{open && <BuyerDialog id={id} onClose={() => setOpen(false)} />}</Suspense>
    </Section>
  )
}
