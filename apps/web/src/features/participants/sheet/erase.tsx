import { useQuery } from '@tanstack/react-query'
import { type ErasureFacts, erasure } from '@voisol/contract/erasure'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { date, money, plural } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Section } from './section.tsx'

type Props = { participant: ParticipantDetail; parts: { Section: typeof Section } }

const Lines = ({ title, lines }: { title: string; lines: (string | false)[] }) => (
  <div>
    <h4 className="font-medium">{title}</h4>
    <ul className="mt-1 grid list-disc gap-1 pl-5 text-ink-soft">
      {lines.map((line) => line && <li key={line}>{line}</li>)}
    </ul>
  </div>
)

const goes = ({ tickets, notifications, documents, account }: ErasureFacts) => [
  'Nom, coordonnées, compte bancaire, notes et étiquettes',
  account && 'Accès à l’espace client',
  tickets > 0 && `Texte de ${plural(tickets, 'demande')} au support`,
  notifications > 0 && plural(notifications, 'notification'),
  documents > 0 && plural(documents, 'document'),
]

const stays = ({ invoices, invoicesUntil }: ErasureFacts) => [
  invoices > 0 &&
    `${plural(invoices, 'facture ou avoir', 'factures et avoirs')}, avec le nom, jusqu’au ${date(invoicesUntil ?? '')} (code de commerce, L123-22)`,
  'Paiements, mandats et écritures',
  'Mesures et parts, sous un numéro\u00a0: celles des voisins s’y prouvent',
  'Journal des actes',
]

/** What stands in the way, or when nothing will. */
function waits({ running, open, possibleOn }: ErasureFacts): string {
  if (running.length) return `Prend encore part à ${running.join(', ')}\u00a0: mettez d’abord fin à sa participation.`
  const words = [
    possibleOn &&
      Date.parse(possibleOn) > Date.now() &&
      `à partir du ${date(possibleOn)}, quand ses mois ne changeront plus`,
    open > 0 && `quand ${money(open)} seront réglés`,
  ].filter(Boolean)
  return words.length ? `L’effacement se fera de lui-même ${words.join(' et ')}.` : ''
}

function Decide({ facts, id }: { facts: ErasureFacts; id: string }) {
  const { run } = useAction(erasure.ask, [erasure.look, participants.get, participants.list])
  const waiting = waits(facts)
  const action = waiting ? 'Noter l’effacement' : 'Effacer la personne'
  const ask = async () => {
    const { erasedOn } = await run({ params: { id }, body: { version: facts.version } })
    toast({ title: erasedOn ? 'Personne effacée' : 'Effacement noté', variant: 'success' })
  }
  return (
    <div className="grid gap-4 text-body">
      <Lines title="Ce qui est effacé" lines={goes(facts)} />
      <Lines title="Ce que la loi fait garder" lines={stays(facts)} />
      {facts.askedOn && <p>Demandé le {date(facts.askedOn)}.</p>}
      {waiting && <p className="rounded-card bg-warning-soft p-3 text-warning">{waiting}</p>}
      {!facts.running.length && !facts.askedOn && (
        <Confirm
          title={`Effacer ${facts.name}\u00a0?`}
          description={waiting || 'L’effacement est immédiat et ne peut pas être annulé.'}
          action={action}
          onConfirm={ask}
          trigger={<Button variant="danger">{action}</Button>}
        />
      )}
    </div>
  )
}

function Looked({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(erasure.look, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.erasedOn) return <p className="text-body">Effacée le {date(data.erasedOn)}.</p>
  return <Decide facts={data} id={id} />
}

/** The right to be forgotten: what goes and what the law keeps, before anything is done. */
export default function Erase({ participant, parts }: Props) {
  const { Section: Part } = parts
  const [open, setOpen] = useState(false)
  return (
    <Part title="Effacement">
      {open ? (
        <Looked id={participant.id} />
      ) : (
        <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
          Voir ce qui partirait
        </Button>
      )}
    </Part>
  )
}
