import { useQuery } from '@tanstack/react-query'
import { consents } from '@voisol/contract/consents'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { notifications } from '@voisol/contract/notifications'
import { selectDefaultSide } from '@voisol/contract/own-side'
import { type PortalBlock, portalManagement } from '@voisol/contract/portal-management'
import { Fragment, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { findLatestConsent, getLatestConsentExpiry } from '../../../../lib/consents.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'
import { readStorage, toStorageKey, writeStorage } from '../../../../lib/storage.ts'
import { toast } from '../../../../lib/toast.ts'
import { getLastReadingMonth, type MyPoints, selectOwnSide } from './my-points.ts'
import { NoPoint, NoReading, WithPoints } from './portal-page.tsx'

// On its way while the meters are asked for; what is under it comes after.
const thisMonth = import('./this-month.tsx')
const ThisMonth = lazy(async () => ({ default: (await thisMonth).ThisMonth }))
const MonthDaysChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).MonthDaysChart }))
const OtherSideSummary = lazy(async () => ({ default: (await import('./other-side.tsx')).OtherSideSummary }))
const ParticipationNotices = lazy(async () => ({
  default: (await import('./participation-notices.tsx')).ParticipationNotices,
}))
const HomeCards = lazy(async () => ({ default: (await import('./home-cards.tsx')).HomeCards }))

function UnreadLink() {
  const { data } = useQuery(query(notifications.unreadCount, {}))
  const unread = data?.unreadCount ?? 0
  if (unread === 0) return 'Vous avez tout lu.'
  return (
    <Link to="/client-portal/notifications" className="text-link">
      {formatCount(unread, 'message non lu', 'messages non lus')}
    </Link>
  )
}

function Greeting({ welcome }: { welcome: string | undefined }) {
  const { user } = useSession()
  return (
    <header>
      <h1 className="text-3xl font-semibold">Bonjour {user?.firstName}</h1>
      <p className="mt-1 text-lg text-ink-soft">
        Vous êtes chez {user?.companyName}. {!user?.viewing && <UnreadLink />}
      </p>
      {welcome && (
        <p className="prose-width mt-3 wrap-anywhere whitespace-pre-line">
          <bdi>{welcome}</bdi>
        </p>
      )}
    </header>
  )
}

function HomeEnergy({ all, consumes, produces, lastDay }: MyPoints) {
  if (all.length === 0) return <NoPoint />
  const participationNotices = (
    <Suspense fallback={null}>
      <ParticipationNotices all={all} />
    </Suspense>
  )
  if (lastDay === null)
    return (
      <>
        {participationNotices}
        <NoReading />
      </>
    )
  const month = getLastReadingMonth(lastDay)
  const mine = selectDefaultSide(all)
  return (
    <>
      {participationNotices}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <ThisMonth mine={mine} month={month} />
        {consumes && produces && <OtherSideSummary mine={selectOwnSide(all, 'production')} month={month} />}
      </Suspense>
    </>
  )
}

/** The last day that was measured; nothing before the first one. */
function HomeChart({ all, lastDay }: MyPoints) {
  if (all.length === 0 || lastDay === null) return null
  const mine = selectDefaultSide(all)
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <MonthDaysChart mine={mine} month={getLastReadingMonth(lastDay)} />
    </Suspense>
  )
}

type HomeSlots = { news: ReactNode; messages: ReactNode }

/** As the organiser ordered them: what is wide stands alone, the cards between share the width. */
function HomeBlocks({ blocks, news, messages }: HomeSlots & { blocks: PortalBlock[] }) {
  return groupBlocks(blocks).map((keys) => {
    const [first] = keys
    if (first === 'chart') return <WithPoints key={first}>{(mine) => <HomeChart {...mine} />}</WithPoints>
    if (first === 'news') return <Fragment key={first}>{news}</Fragment>
    return (
      <Suspense key={keys.join()} fallback={<Skeleton className="h-64 w-full" />}>
        <HomeCards keys={keys} messages={messages} />
      </Suspense>
    )
  })
}

/** For somebody with no time: how am I doing, then what the organiser chose to show, in its order. */
export default function PortalHome(parts: HomeSlots) {
  const { data } = useQuery(query(portalManagement.shown, {}))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Greeting welcome={data?.welcome} />
      <ConsentPrompt>
        <WithPoints>{(mine) => <HomeEnergy {...mine} />}</WithPoints>
        {data && <HomeBlocks blocks={data.blocks} {...parts} />}
      </ConsentPrompt>
    </div>
  )
}

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
function ConsentPrompt({ children }: { children: ReactNode }) {
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

type BlockKey = PortalBlock['key']
const WIDE_BLOCKS: ReadonlySet<BlockKey> = new Set(['chart', 'news'])

/** What is shown, in its order: each wide block by itself, and the cards that stand between them together. */
export function groupBlocks(blocks: PortalBlock[]): BlockKey[][] {
  const groups: BlockKey[][] = []
  for (const { key, shown } of blocks) {
    if (!shown) continue
    const last = groups.at(-1)
    if (!WIDE_BLOCKS.has(key) && last?.[0] && !WIDE_BLOCKS.has(last[0])) last.push(key)
    else groups.push([key])
  }
  return groups
}
