import { type QueueRow, supportDesk } from '@voisol/contract/support-agents'
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useCan } from '../../../lib/can.tsx'
import { useList } from '../../../lib/queries.ts'
import { sessionStore } from '../../../lib/stores.ts'
import { QueuePane } from './queue-pane.tsx'
import { useUpdateTicket } from './ticket-follow-up.tsx'

type AnswerFieldRef = RefObject<HTMLTextAreaElement | null>
const OpenTicket = lazy(() => import('./open-ticket.tsx'))

/** The ticket after this one in the queue, or the one before: what is answered stays in its place until one leaves it. */
function useQueueNavigation(items: QueueRow[], openId: string | undefined, open: (id: string) => void) {
  return (by: 1 | -1) => {
    const at = items.findIndex(({ id }) => id === openId)
    const next = items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + by))]
    if (next) open(next.id)
  }
}

/** What the keys change is the ticket that is open, and only for those who may. */
function TicketShortcuts({ row, step, field }: { row: QueueRow; step: (by: 1 | -1) => void; field: AnswerFieldRef }) {
  const { set } = useUpdateTicket(row)
  useShortcutKeys({
    j: () => step(1),
    k: () => step(-1),
    r: () => field.current?.focus(),
    a: () => void set({ assigneeId: row.assignee ? null : sessionStore.read().user?.id }),
    e: () => void set({ state: 'solved' }),
  })
  return null
}

function NavigationShortcuts({ step, field }: { step: (by: 1 | -1) => void; field: AnswerFieldRef }) {
  useShortcutKeys({ j: () => step(1), k: () => step(-1), r: () => field.current?.focus() })
  return null
}

/** The fast desk: the queue, the thread and what an answer needs, by the keyboard alone if one likes. */
export default function KeyboardSupportPage() {
  const [search, setSearch] = useSearchParams()
  const list = useList(supportDesk.queue)
  const can = useCan()
  const field = useRef<HTMLTextAreaElement>(null)
  const openTicketId = search.get('demande') ?? list.items[0]?.id
  const open = (demande: string) =>
    setSearch((old) => {
      old.set('demande', demande)
      return old
    })
  const step = useQueueNavigation(list.items, openTicketId, open)
  const row = list.items.find(({ id }) => id === openTicketId)
  const paneRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (openTicketId) paneRef.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [openTicketId])
  return (
    <>
      <PageHeader
        title="Support au clavier"
        description="La file, le fil et ce qu’il faut savoir pour répondre, sur un seul écran."
        actions={<ShortcutList />}
      />
      {row && can(supportDesk.update) ? (
        <TicketShortcuts key={row.id} row={row} step={step} field={field} />
      ) : (
        <NavigationShortcuts step={step} field={field} />
      )}
      {list.error && <ErrorState error={list.error} onRetry={list.refetch} />}
      {!list.error && (
        <div
          ref={paneRef}
          className="grid items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] 2xl:grid-cols-[20rem_minmax(0,1fr)_20rem]"
        >
          <QueuePane list={list} opened={openTicketId} onOpen={open} />
          {openTicketId ? (
            <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_18rem] 2xl:col-span-2 2xl:grid-cols-[minmax(0,1fr)_20rem]">
              <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                <OpenTicket id={openTicketId} field={field} onNext={() => step(1)} onOpen={open} />
              </Suspense>
            </div>
          ) : (
            !list.isPending && (
              <EmptyState
                title="Rien n’attend"
                why="Chaque demande à traiter viendra ici, la plus pressée d’abord."
                because="all-well"
              />
            )
          )}
        </div>
      )}
    </>
  )
}

type KeyHandlers = Record<string, () => void>

/** Somebody who writes wants the letter, not what it does. */
const isTextInput = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Letters that act, anywhere on the screen but in a field or a dialog. */
function useShortcutKeys(handlers: KeyHandlers) {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const handler = latest.current[event.key]
      if (!handler || event.ctrlKey || event.metaKey || event.altKey || isTextInput(event.target)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      handler()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
}

const SHORTCUTS = [
  ['j', 'suivante'],
  ['k', 'précédente'],
  ['r', 'répondre'],
  ['a', 'prendre ou rendre'],
  ['e', 'résoudre'],
  ['Ctrl Entrée', 'envoyer'],
] as const

/** What they are, where there is a keyboard to press them on. */
const ShortcutList = () => (
  <ul
    aria-label="Raccourcis du clavier"
    className="hidden flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft lg:flex"
  >
    {SHORTCUTS.map(([key, does]) => (
      <li key={key}>
        <kbd className="rounded border border-line-strong bg-card px-1.5 py-0.5 font-medium text-ink">{key}</kbd> {does}
      </li>
    ))}
  </ul>
)
