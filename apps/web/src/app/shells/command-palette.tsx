import { useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { curves } from '@voisol/contract/curves'
import type { Endpoint } from '@voisol/contract/endpoint'
import { participants } from '@voisol/contract/participants'
import { MIN_SEARCH_LENGTH, search } from '@voisol/contract/search'
import { sync } from '@voisol/contract/sync'
import { users } from '@voisol/contract/users'
import { Command } from 'cmdk'
import Search from 'lucide-react/icons/search'
import { Content, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import { useContext, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { overlayClass, useReturnFocus } from '../../components/modal-panel.ts'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/error-text.ts'
import { LinkAccessContext } from '../../lib/link-access.ts'
import { query } from '../../lib/queries.ts'
import { getRecentVisits } from '../../lib/recent-visits.ts'
import {
  ACTION_GROUP,
  buildInitialGroups,
  buildResultGroups,
  type PaletteAction,
  type PaletteGroup,
  type PaletteItem,
} from './palette-groups.ts'

export type { PaletteAction } from './palette-groups.ts'

const PALETTE_LABEL = 'Rechercher partout'
const itemClass =
  'flex min-h-10 cursor-pointer flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 rounded-control px-3 py-2 text-body data-[selected=true]:bg-primary-soft data-[selected=true]:text-primary-ink'
const groupClass =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[0.8125rem] [&_[cmdk-group-heading]]:text-ink-muted'
const wordsClass = 'px-3 py-3 text-center text-body text-ink-soft'

const Item = ({ entry, onFollow }: { entry: PaletteItem; onFollow: (entry: PaletteItem) => void }) => (
  <Command.Item value={entry.key} onSelect={() => onFollow(entry)} className={itemClass}>
    <span>{entry.label}</span>
    {entry.detail && <span className="text-[0.8125rem] text-ink-soft">{entry.detail}</span>}
  </Command.Item>
)

const Groups = ({ groups, onFollow }: { groups: PaletteGroup[]; onFollow: (entry: PaletteItem) => void }) =>
  groups.map(({ heading, entries }) => (
    <Command.Group key={heading} heading={heading} className={groupClass}>
      {entries.map((entry) => (
        <Item key={entry.key} entry={entry} onFollow={onFollow} />
      ))}
    </Command.Group>
  ))

/** What one may start from here, beside the screens that the shell names. */
function useAvailableActions(actions: PaletteAction[], go: (to: string) => void): PaletteAction[] {
  const can = useCan()
  const { opens } = useContext(LinkAccessContext)
  const own = PALETTE_ACTIONS.filter(({ to, needs }) => can(needs) && opens(to))
  return [...own.map(({ label, also, to }) => ({ label, also, group: ACTION_GROUP, run: () => go(to) })), ...actions]
}

type Props = { open: boolean; onOpenChange: (open: boolean) => void; actions: PaletteAction[] }

/** Mounted each time it opens: it starts without a word, and with what was opened since. */
function PaletteSearch({ actions, onFollow }: { actions: PaletteAction[]; onFollow: (entry: PaletteItem) => void }) {
  const navigate = useNavigate()
  const go = (to: string) => void navigate(to)
  const { opens } = useContext(LinkAccessContext)
  const [text, setText] = useState('')
  const [recent] = useState(() => getRecentVisits().filter(({ to }) => opens(to)))
  const { hits, error, isAsking } = useSearch(text)
  const availableActions = useAvailableActions(actions, go)
  const groups = text.trim()
    ? buildResultGroups(text, availableActions, hits, go)
    : buildInitialGroups(availableActions, recent, go)
  return (
    <Command label={PALETTE_LABEL} shouldFilter={false} loop>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4 text-ink-soft" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Un nom, un PRM, une opération, un fichier, un écran"
          className="h-13 w-full bg-transparent text-base text-ink placeholder:text-ink-muted focus-visible:outline-none"
        />
      </div>
      <Command.List label="Résultats" className="max-h-[min(28rem,60dvh)] overflow-y-auto p-1.5">
        <Groups groups={groups} onFollow={onFollow} />
      </Command.List>
      <div role="status">
        {isAsking && <p className={wordsClass}>Recherche…</p>}
        {error && <p className={wordsClass}>La recherche n’a pas abouti. {explainError(error)}</p>}
        {!isAsking && !error && groups.length === 0 && (
          <p className={wordsClass}>Rien ne porte ce nom. Essayez un nom de famille, un PRM ou une commune.</p>
        )}
      </div>
    </Command>
  )
}

export default function CommandPalette({ open, onOpenChange, actions }: Props) {
  const focus = useReturnFocus(false)
  const follow = (entry: PaletteItem) => {
    onOpenChange(false)
    entry.run()
  }
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-2xl animate-appear overflow-hidden rounded-card border border-line bg-card shadow-float focus-visible:outline-none"
        >
          <Title className="sr-only">{PALETTE_LABEL}</Title>
          <PaletteSearch actions={actions} onFollow={follow} />
        </Content>
      </Portal>
    </Root>
  )
}

const DEBOUNCE_MS = 150
const STALE_MS = 30_000

/** The words once the keyboard has been still for a moment. */
function useDebouncedText(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What the server finds for these words; an answer to other words is none. */
function useSearch(typed: string) {
  const text = typed.trim()
  const debouncedText = useDebouncedText(text)
  const isSearchable = text.length >= MIN_SEARCH_LENGTH
  const { data, error } = useQuery({
    ...query(search.find, { query: { q: debouncedText } }),
    enabled: isSearchable && debouncedText.length >= MIN_SEARCH_LENGTH,
    staleTime: STALE_MS,
    retry: false,
  })
  const current = isSearchable && debouncedText === text
  return {
    hits: current ? (data?.items ?? []) : [],
    error: current && !data ? error : null,
    isAsking: isSearchable && !(current && (data || error)),
  }
}

/** What can be started from anywhere, by the word one has for it; `also` are other words for the same. */
const PALETTE_ACTIONS: readonly { label: string; also: string; to: string; needs: Endpoint }[] = [
  {
    label: 'Inviter un utilisateur',
    also: 'ajouter un collègue, un compte',
    to: '/users?inviter=1',
    needs: users.invite,
  },
  {
    label: 'Ajouter un participant',
    also: 'nouveau membre',
    to: '/participants?ajouter=1',
    needs: participants.create,
  },
  {
    label: 'Importer des participants',
    also: 'fichier de membres, CSV, Excel',
    to: '/participants?importer=1',
    needs: participants.import,
  },
  {
    label: 'Importer des courbes',
    also: 'relevés, fichier Enedis',
    to: '/enedis-data?onglet=imports',
    needs: curves.upload,
  },
  {
    label: 'Demander des données à Enedis',
    also: 'synchroniser, historique',
    to: '/enedis-api/sync-tasks?nouvelle=1',
    needs: sync.start,
  },
  { label: 'Écrire un article', also: 'actualité, contenu', to: '/cms-admin?nouveau=article', needs: content.create },
]
