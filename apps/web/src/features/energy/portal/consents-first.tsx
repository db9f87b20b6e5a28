import { useQuery } from '@tanstack/react-query'
import { consents } from '@voisol/contract/consents'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { type ReactNode, useEffect, useState } from 'react'
import { findLatestConsent, getLatestConsentExpiry } from '../../../lib/consents.ts'
import { explainError } from '../../../lib/explain.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { readStorage, toStorageKey, writeStorage } from '../../../lib/storage.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

type ConsentList = EndpointReply<typeof consents.list>
type UndecidedConsent = {
  id: string
  participant: ConsentList['participants'][number]
  text: ConsentList['texts'][number]
}

/** What was never decided, neither given nor withdrawn. */
const listUndecidedConsents = ({ participants, texts, items }: ConsentList): UndecidedConsent[] =>
  participants.flatMap((participant) =>
    texts
      .filter(({ purpose }) => !findLatestConsent(items, purpose, participant.id))
      .map((text) => ({ id: `${participant.id} ${text.purpose}`, participant, text })),
  )

function useGiveConsents(onDone: () => void) {
  const give = useAction(consents.give, [consents.list])
  const [busy, setBusy] = useState(false)
  const save = async (chosen: UndecidedConsent[]) => {
    setBusy(true)
    const givenOn = getTodayInParis()
    try {
      for (const { participant, text } of chosen) {
        const { purpose, version: textVersion } = text
        const body = {
          purpose,
          textVersion,
          method: 'portal' as const,
          givenOn,
          expiresOn: getLatestConsentExpiry(givenOn),
        }
        await give.run({ params: { id: participant.id }, body })
      }
      if (chosen.length) toast({ title: 'Vos choix sont enregistrés', variant: 'success' })
      onDone()
    } catch (error) {
      toast({ title: 'Choix non enregistrés', description: explainError(error), variant: 'destructive' })
    } finally {
      setBusy(false)
    }
  }
  return { save, busy }
}

function ConsentQuestions({ missing, onDone }: { missing: UndecidedConsent[]; onDone: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { save, busy } = useGiveConsents(onDone)
  const several = new Set(missing.map(({ participant }) => participant.id)).size > 1
  const toggle = (id: string, on: boolean) =>
    setChosen((old) => new Set(on ? [...old, id] : [...old].filter((other) => other !== id)))
  return (
    <Card
      title="À quoi vos mesures peuvent-elles servir&#160;?"
      description="Rien n’est coché d’avance. Vous pourrez changer d’avis à tout moment dans votre profil."
    >
      <ul className="grid gap-5">
        {missing.map(({ id, text, participant }) => (
          <li key={id}>
            <Checkbox
              label={`${text.title}${several ? `, ${participant.name}` : ''}${text.purpose === 'collection' ? ' (nécessaire pour participer)' : ' (facultatif)'}`}
              checked={chosen.has(id)}
              onChange={(event) => toggle(id, event.target.checked)}
            />
            <p className="prose-width mt-1 pl-7 text-ink-soft">{text.text}</p>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          disabled={chosen.size === 0}
          loading={busy}
          onClick={() => save(missing.filter(({ id }) => chosen.has(id)))}
        >
          Enregistrer mes choix
        </Button>
        <Button variant="secondary" onClick={onDone}>
          Décider plus tard
        </Button>
      </div>
    </Card>
  )
}

/** At the first visit on a device, what was never decided is asked once; the rest of the page follows. */
export function ConsentPrompt({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const key = toStorageKey(`consents_asked_${user?.id ?? ''}`)
  const [hasBeenAsked, setAsked] = useState(() => Boolean(user?.viewing) || readStorage(key) !== null)
  const { data, error } = useQuery({ ...query(consents.list, { query: {} }), enabled: !hasBeenAsked })
  const missing = data && !hasBeenAsked ? listUndecidedConsents(data) : []
  const hasNothingToAsk = data !== undefined && missing.length === 0
  useEffect(() => {
    if (hasNothingToAsk) writeStorage(key, getTodayInParis())
  }, [hasNothingToAsk, key])
  const done = () => {
    writeStorage(key, getTodayInParis())
    setAsked(true)
  }
  if (missing.length > 0) return <ConsentQuestions missing={missing} onDone={done} />
  return hasBeenAsked || hasNothingToAsk || error ? children : <Skeleton className="h-64 w-full" />
}
