import { useQuery } from '@tanstack/react-query'
import { consents } from '@voisol/contract/consents'
import type { Reply } from '@voisol/contract/endpoint'
import { type ReactNode, useEffect, useState } from 'react'
import { lastWord, longestConsent } from '../../../lib/consents.ts'
import { explain } from '../../../lib/explain.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { ownKey, read, write } from '../../../lib/storage.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { todayInParis } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

type Answer = Reply<typeof consents.list>
type Missing = { id: string; participant: Answer['participants'][number]; text: Answer['texts'][number] }

/** What was never decided, neither given nor withdrawn. */
const missingIn = ({ participants, texts, items }: Answer): Missing[] =>
  participants.flatMap((participant) =>
    texts
      .filter(({ purpose }) => !lastWord(items, purpose, participant.id))
      .map((text) => ({ id: `${participant.id} ${text.purpose}`, participant, text })),
  )

function useGive(onDone: () => void) {
  const give = useAction(consents.give, [consents.list])
  const [busy, setBusy] = useState(false)
  const save = async (chosen: Missing[]) => {
    setBusy(true)
    const givenOn = todayInParis()
    try {
      for (const { participant, text } of chosen) {
        const { purpose, version: textVersion } = text
        const body = { purpose, textVersion, method: 'portal' as const, givenOn, expiresOn: longestConsent(givenOn) }
        await give.run({ params: { id: participant.id }, body })
      }
      if (chosen.length) toast({ title: 'Vos choix sont enregistrés', variant: 'success' })
      onDone()
    } catch (error) {
      toast({ title: 'Choix non enregistrés', description: explain(error), variant: 'destructive' })
    } finally {
      setBusy(false)
    }
  }
  return { save, busy }
}

function Asking({ missing, onDone }: { missing: Missing[]; onDone: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { save, busy } = useGive(onDone)
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
export function ConsentsFirst({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const key = ownKey(`consents_asked_${user?.id ?? ''}`)
  const [asked, setAsked] = useState(() => Boolean(user?.viewing) || read(key) !== null)
  const { data, error } = useQuery({ ...query(consents.list, { query: {} }), enabled: !asked })
  const missing = data && !asked ? missingIn(data) : []
  const settled = data !== undefined && missing.length === 0
  useEffect(() => {
    if (settled) write(key, todayInParis())
  }, [settled, key])
  const done = () => {
    write(key, todayInParis())
    setAsked(true)
  }
  if (missing.length > 0) return <Asking missing={missing} onDone={done} />
  return asked || settled || error ? children : <Skeleton className="h-64 w-full" />
}
