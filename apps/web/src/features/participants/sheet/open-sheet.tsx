import { useQuery } from '@tanstack/react-query'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { supplierBills } from '@voisol/contract/supplier-bills'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { PARTICIPANT_ROLE_LABELS, PARTICIPANT_STATE_LABELS } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'
import { useOpenName } from '../../../lib/subject.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { PARTICIPANT_KIND_LABELS } from '../labels.ts'
import { BankSection } from './bank.tsx'
import { ConsentSection } from './consents.tsx'
import { IdentitySection } from './identity.tsx'
import { NotesSection } from './notes.tsx'
import { ParticipationSection } from './participations.tsx'
import { PortalSection } from './portal.tsx'
import { RemoveSection } from './remove.tsx'
import { Facts, Section } from './section.tsx'
import SidePanel from './side-panel.tsx'

/** Handed to what loads later, which would otherwise fetch the sheet again to have them. */
const SECTION_COMPONENTS = { Section, Facts }
const ParticipantBilling = lazy(() => import('./billing.tsx'))
const ParticipantSupplierBills = lazy(() => import('./supplier-bills.tsx'))
const Tags = lazy(() => import('./tags.tsx'))
const EraseParticipant = lazy(() => import('./erase.tsx'))
const CoHolders = lazy(() => import('./holders.tsx'))
/** Comes after the sheet, to whoever may read how people are invoiced. */
const BillingSection = withAccess('parties.read', ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <ParticipantBilling participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const SupplierBillsSection = withAccess(supplierBills.list, ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <ParticipantSupplierBills participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const EraseSection = withAccess('participants.write', ({ participant }: { participant: ParticipantDetail }) => (
  <Suspense fallback={null}>
    <EraseParticipant participant={participant} parts={SECTION_COMPONENTS} />
  </Suspense>
))

const StatusLine = ({ participant: { kind, role, state } }: { participant: ParticipantDetail }) => (
  <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-soft">
    <Badge tone={PARTICIPANT_STATE_LABELS[state].tone}>{PARTICIPANT_STATE_LABELS[state].label}</Badge>
    {[PARTICIPANT_KIND_LABELS[kind], role && PARTICIPANT_ROLE_LABELS[role]].filter(Boolean).join(' · ')}
  </p>
)

const ReviewMarks = ({ marks }: { marks: string[] }) => (
  <div className="py-4">
    <ul aria-label="À vérifier" className="grid gap-1.5 rounded-card bg-warning-soft p-4 text-body text-warning">
      {marks.map((mark) => (
        <li key={mark} className="flex items-start gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {mark}
        </li>
      ))}
    </ul>
  </div>
)

const ParticipantSections = ({ participant, onClose }: { participant: ParticipantDetail; onClose: () => void }) => (
  <>
    {participant.review.length > 0 && <ReviewMarks marks={participant.review} />}
    <IdentitySection participant={participant} />
    <ParticipationSection participant={participant} />
    <ConsentSection participant={participant} />
    <PortalSection participant={participant} />
    {participant.portal.status !== 'none' && (
      <Suspense fallback={null}>
        <CoHolders participant={participant} parts={SECTION_COMPONENTS} />
      </Suspense>
    )}
    <BankSection participant={participant} />
    <BillingSection participant={participant} />
    <SupplierBillsSection participant={participant} />
    <Suspense fallback={null}>
      <Tags participant={participant} parts={SECTION_COMPONENTS} />
    </Suspense>
    <NotesSection participant={participant} />
    {participant.participations.length > 0 && <EraseSection participant={participant} />}
    {participant.participations.length === 0 && <RemoveSection participant={participant} onDone={onClose} />}
  </>
)

export default function OpenParticipantDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(participants.get, { params: { id } }))
  useOpenName(data?.name, 'Participant', `/participants?participant=${id}`)
  return (
    <SidePanel title={data?.name ?? 'Participant'} under={data && <StatusLine participant={data} />} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={refetch} title="Cette fiche ne peut pas être affichée" />}
      {!data && !error && (
        <div role="status" className="grid gap-4 py-6">
          <span className="sr-only">Chargement de la fiche</span>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
      {data && <ParticipantSections participant={data} onClose={onClose} />}
    </SidePanel>
  )
}
