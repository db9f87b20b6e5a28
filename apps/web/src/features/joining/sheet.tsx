import { useQuery } from '@tanstack/react-query'
import { type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-desk'
import { APPLICATION_KINDS, APPLICATION_STATES } from '@voisol/contract/joining-words'
import { download } from '../../lib/call.ts'
import { Can } from '../../lib/can.tsx'
import { prm } from '../../lib/energy-labels.ts'
import { explain } from '../../lib/explain.ts'
import { date, dateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Decide } from './decide.tsx'

const CONSENTS = { collection: 'mesures', analysis: 'analyse', comparison: 'comparaison', advice: 'conseils' }

const factsOf = (one: ApplicationDetail) =>
  [
    { label: 'Demande', value: `${APPLICATION_KINDS[one.kind]}, ${one.operation}` },
    { label: 'État', value: APPLICATION_STATES[one.state] },
    { label: 'Point (PRM)', value: prm(one.prm) },
    { label: 'Adresse', value: [one.address, `${one.postalCode} ${one.city}`.trim()].filter(Boolean).join(', ') },
    { label: 'E-mail', value: one.email },
    { label: 'Téléphone', value: one.phone },
    { label: 'SIREN', value: one.siren },
    { label: 'Accords donnés', value: one.consents.map(({ purpose }) => CONSENTS[purpose]).join(', ') },
    { label: 'Départ demandé le', value: one.wantedOn && date(one.wantedOn) },
    { label: 'Nouvelle adresse', value: one.newAddress },
    { label: 'Qui suit', value: [one.successorName, one.successorEmail].filter(Boolean).join(', ') },
    { label: 'Prend effet le', value: one.effectiveOn && date(one.effectiveOn) },
    {
      label: 'Décidée',
      value: one.decidedAt && `${dateTime(one.decidedAt)}${one.decidedBy && `, par ${one.decidedBy}`}`,
    },
    { label: 'Raison du refus', value: one.reason },
    {
      label: 'Signature',
      value: one.proof && `${one.proof.name}, ${dateTime(one.proof.at)}, depuis ${one.proof.ip}`,
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

function Paper({ id }: { id: string }) {
  const take = () =>
    download(joiningDesk.paper, { params: { id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button variant="secondary" className="justify-self-start" onClick={() => void take()}>
      Télécharger la demande signée (PDF)
    </Button>
  )
}

const Shown = ({ one, onClose }: { one: ApplicationDetail; onClose: () => void }) => (
  <div className="grid gap-5">
    <Remarks remarks={one.remarks} />
    <FactList facts={factsOf(one)} />
    {one.message && (
      <blockquote className="rounded-card border border-line bg-page p-4 text-body break-words whitespace-pre-line">
        {one.message}
      </blockquote>
    )}
    {one.hasPaper && <Paper id={one.id} />}
    {one.state === 'waiting' && (
      <Can call={joiningDesk.accept}>
        <Decide key={one.version} application={one} onDone={onClose} />
      </Can>
    )}
  </div>
)

export function ApplicationSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(joiningDesk.get, { params: { id } }))
  return (
    <Dialog title={data?.name ?? 'Demande'} width="medium" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <Shown one={data} onClose={onClose} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}
