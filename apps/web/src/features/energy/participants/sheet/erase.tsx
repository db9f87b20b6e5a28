import { useQuery } from '@tanstack/react-query'
import { type ErasureFacts, erasure } from '@voisol/contract/erasure'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Confirm } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatCount, formatDate, formatMoney } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import type { Section } from './drawer-section.tsx'

type Props = { participant: ParticipantDetail; parts: { Section: typeof Section } }

const TitledList = ({ title, lines }: { title: string; lines: (string | false)[] }) => (
  <div>
    <h4 className="font-medium">{title}</h4>
    <ul className="mt-1 grid list-disc gap-1 pl-5 text-ink-soft">
      {lines.map((line) => line && <li key={line}>{line}</li>)}
    </ul>
  </div>
)

const getErasedData = ({ tickets, notifications, documents, account }: ErasureFacts) => [
  'Nom, coordonnées, compte bancaire, notes et étiquettes',
  account && 'Accès à l’espace client',
  tickets > 0 && `Texte de ${formatCount(tickets, 'demande')} au support`,
  notifications > 0 && formatCount(notifications, 'notification'),
  documents > 0 && formatCount(documents, 'document'),
]

const getRetainedData = ({ invoices, invoicesUntil }: ErasureFacts) => [
  invoices > 0 &&
    `${formatCount(invoices, 'facture ou avoir', 'factures et avoirs')}, avec le nom, jusqu’au ${formatDate(invoicesUntil ?? '')} (code de commerce, L123-22)`,
  'Paiements, mandats et écritures',
  'Mesures et parts, sous un numéro\u00a0: celles des voisins s’y prouvent',
  'Journal des actes',
]

/** What stands in the way, or when nothing will. */
function describeErasureDelay({ running, open, possibleOn }: ErasureFacts): string {
  if (running.length) return `Prend encore part à ${running.join(', ')}\u00a0: mettez d’abord fin à sa participation.`
  const reasons = [
    possibleOn &&
      Date.parse(possibleOn) > Date.now() &&
      `à partir du ${formatDate(possibleOn)}, quand ses mois ne changeront plus`,
    open > 0 && `quand ${formatMoney(open)} seront réglés`,
  ].filter(Boolean)
  return reasons.length ? `L’effacement se fera de lui-même ${reasons.join(' et ')}.` : ''
}

function ErasureDecision({ facts, id }: { facts: ErasureFacts; id: string }) {
  const { run } = useAction(erasure.ask, [erasure.look, participants.get, participants.list])
  const delayText = describeErasureDelay(facts)
  const action = delayText ? 'Noter l’effacement' : 'Effacer la personne'
  const requestErasure = async () => {
    const { erasedOn } = await run({ params: { id }, body: { version: facts.version } })
    toast({ title: erasedOn ? 'Personne effacée' : 'Effacement noté', variant: 'success' })
  }
  return (
    <div className="grid gap-4 text-body">
      <TitledList title="Ce qui est effacé" lines={getErasedData(facts)} />
      <TitledList title="Ce que la loi fait garder" lines={getRetainedData(facts)} />
      {facts.askedOn && <p>Demandé le {formatDate(facts.askedOn)}.</p>}
      {delayText && <p className="rounded-card bg-warning-soft p-3 text-warning">{delayText}</p>}
      {!facts.running.length && !facts.askedOn && (
        <Confirm
          title={`Effacer ${facts.name}\u00a0?`}
          description={delayText || 'L’effacement est immédiat et ne peut pas être annulé.'}
          action={action}
          onConfirm={requestErasure}
          trigger={<Button variant="danger">{action}</Button>}
        />
      )}
    </div>
  )
}

function ErasurePreview({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(erasure.look, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.erasedOn) return <p className="text-body">Effacée le {formatDate(data.erasedOn)}.</p>
  return <ErasureDecision facts={data} id={id} />
}

/** The right to be forgotten: what goes and what the law keeps, before anything is done. */
export default function EraseParticipant({ participant, parts }: Props) {
  const { Section: Part } = parts
  const [open, setOpen] = useState(false)
  return (
    <Part title="Effacement">
      {open ? (
        <ErasurePreview id={participant.id} />
      ) : (
        <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
          Voir ce qui partirait
        </Button>
      )}
    </Part>
  )
}
