import { useQuery } from '@tanstack/react-query'
import { type Consent, consents } from '@voisol/contract/consents'
import type { Reply } from '@voisol/contract/endpoint'
import { CONSENT_STATES, consentDates, isGiven, lastWord, longestConsent } from '../../lib/consents.ts'
import { explain } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CONSENT_EFFECTS } from './consent-effects.ts'

type Answer = Reply<typeof consents.list>
type ChoiceProps = { text: Answer['texts'][number]; consent?: Consent; participant: Answer['participants'][number] }

function Give({ text, consent, participant }: ChoiceProps) {
  const give = useAction(consents.give, [consents.list])
  const { purpose, title, version: textVersion } = text
  const agree = () => {
    const givenOn = todayInParis()
    const body = { purpose, textVersion, method: 'portal' as const, givenOn, expiresOn: longestConsent(givenOn) }
    return give.run({ params: { id: participant.id }, body }).then(
      () => toast({ title: 'Votre accord est enregistré', description: title, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Accord non enregistré', description: explain(error), variant: 'destructive' }),
    )
  }
  const words = consent?.state === 'expiring' ? 'Renouveler mon accord' : 'Donner mon accord'
  return (
    <Button variant="secondary" aria-label={`${words}\u00a0: ${title}`} loading={give.isPending} onClick={agree}>
      {words}
    </Button>
  )
}

function Withdraw({ text: { title, purpose }, consent }: ChoiceProps & { consent: Consent }) {
  const withdraw = useAction(consents.withdraw, [consents.list])
  const end = async () => {
    await withdraw.run({ params: { id: consent.id } })
    toast({ title: 'Votre accord est retiré', description: title, variant: 'success' })
  }
  return (
    <Confirm
      title="Retirer votre accord&#160;?"
      description={`${title}\u00a0: le retrait vaut dès maintenant. ${CONSENT_EFFECTS[purpose].withdrawn}`}
      action="Retirer mon accord"
      onConfirm={end}
      trigger={
        <Button variant="quiet" aria-label={`Retirer mon accord\u00a0: ${title}`}>
          Retirer mon accord
        </Button>
      }
    />
  )
}

function Choice(props: ChoiceProps) {
  const { text, consent } = props
  const { label, tone } = CONSENT_STATES[consent?.state ?? 'missing']
  const given = isGiven(consent)
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
        {text.title}
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="prose-width mt-1 text-body text-ink-soft">{text.text}</p>
      <p className="prose-width mt-1 text-body">
        <span className="font-medium">{given ? 'Si vous le retirez\u00a0: ' : 'Si vous acceptez\u00a0: '}</span>
        {CONSENT_EFFECTS[text.purpose][given ? 'withdrawn' : 'given']}
      </p>
      {consent && <p className="mt-1 text-[0.8125rem] text-ink-soft">{consentDates(consent)}.</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        {(!given || consent.state === 'expiring') && <Give {...props} />}
        {given && <Withdraw {...props} consent={consent} />}
      </div>
    </li>
  )
}

/** Each purpose is a choice of its own, for each participant the person stands for. */
export function Consents() {
  const { data, error, refetch } = useQuery(query(consents.list, { query: {} }))
  if (data && data.participants.length === 0) return null
  return (
    <Card
      title="Mes consentements"
      description="Vous choisissez à quoi servent vos mesures, et pouvez changer d’avis à tout moment."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.participants.map((participant) => (
        <section key={participant.id} aria-label={participant.name} className="not-first:mt-6">
          {data.participants.length > 1 && <h3 className="mb-3 text-body font-semibold">{participant.name}</h3>}
          <ul className="divide-y divide-line">
            {data.texts.map((text) => (
              <Choice
                key={text.purpose}
                text={text}
                consent={lastWord(data.items, text.purpose, participant.id)}
                participant={participant}
              />
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}
