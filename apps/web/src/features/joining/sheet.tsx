import { useQuery } from '@tanstack/react-query'
import { type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-desk'
import { APPLICATION_KIND_LABELS, APPLICATION_STATE_LABELS } from '@voisol/contract/joining-words'
import { download } from '../../lib/call.ts'
import { Can } from '../../lib/can.tsx'
import { formatPrm } from '../../lib/energy-labels.ts'
import { explainError } from '../../lib/explain.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ApplicationDecision } from './decide.tsx'

const CONSENT_LABELS = { collection: 'mesures', analysis: 'analyse', comparison: 'comparaison', advice: 'conseils' }

const toFacts = (one: ApplicationDetail) =>
  [
    { label: 'Demande', value: `${APPLICATION_KIND_LABELS[one.kind]}, ${one.operation}` },
    { label: 'État', value: APPLICATION_STATE_LABELS[one.state] },
    { label: 'Point (PRM)', value: formatPrm(one.prm) },
    { label: 'Adresse', value: [one.address, `${one.postalCode} ${one.city}`.trim()].filter(Boolean).join(', ') },
    { label: 'E-mail', value: one.email },
    { label: 'Téléphone', value: one.phone },
    { label: 'SIREN', value: one.siren },
    { label: 'Accords donnés', value: one.consents.map(({ purpose }) => CONSENT_LABELS[purpose]).join(', ') },
    { label: 'Départ demandé le', value: one.wantedOn && formatDate(one.wantedOn) },
    { label: 'Nouvelle adresse', value: one.newAddress },
    { label: 'Qui suit', value: [one.successorName, one.successorEmail].filter(Boolean).join(', ') },
    { label: 'Prend effet le', value: one.effectiveOn && formatDate(one.effectiveOn) },
    {
      label: 'Décidée',
      value: one.decidedAt && `${formatDateTime(one.decidedAt)}${one.decidedBy && `, par ${one.decidedBy}`}`,
    },
    { label: 'Raison du refus', value: one.reason },
    {
      label: 'Signature',
      value: one.proof && `${one.proof.name}, ${formatDateTime(one.proof.at)}, depuis ${one.proof.ip}`,
    },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []))

const Remarks = ({ remarks }: Pick<ApplicationDetail, 'remarks'>) =>
  remarks.length > 0 && (
    <ul aria-label="À vérifier" className="grid gap-2">
      {remarks.map(({ severity, message }) => (
        <li
          key={message}
          className={
            severity === 'refused'
              ? 'rounded-card bg-danger-soft p-3 text-danger'
              : 'rounded-card bg-warning-soft p-3 text-ink'
          }
        >
          {message}
        </li>
      ))}
    </ul>
  )

function SignedRequestButton({ id }: { id: string }) {
  const downloadRequest = () =>
    download(joiningDesk.paper, { params: { id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button variant="secondary" className="justify-self-start" onClick={() => void downloadRequest()}>
      Télécharger la demande signée (PDF)
    </Button>
  )
}

const ApplicationContent = ({ one, onClose }: { one: ApplicationDetail; onClose: () => void }) => (
  <div className="grid gap-5">
    <Remarks remarks={one.remarks} />
    <FactList facts={toFacts(one)} />
    {one.message && (
      <blockquote className="rounded-card border border-line bg-page p-4 text-body break-words whitespace-pre-line">
        {one.message}
      </blockquote>
    )}
    {one.hasPaper && <SignedRequestButton id={one.id} />}
    {one.state === 'waiting' && (
      <Can call={joiningDesk.accept}>
        <ApplicationDecision key={one.version} application={one} onDone={onClose} />
      </Can>
    )}
  </div>
)

export function ApplicationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(joiningDesk.get, { params: { id } }))
  return (
    <Dialog title={data?.name ?? 'Demande'} width="medium" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <ApplicationContent one={data} onClose={onClose} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}
