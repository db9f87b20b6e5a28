import { Command } from 'cmdk'
import Search from 'lucide-react/icons/search'
import { Content, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import { useContext, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '../lib/can.tsx'
import { Doors } from '../lib/doors.ts'
import { explain } from '../lib/explain.ts'
import { recentVisits } from '../lib/recent.ts'
import { overlayClass } from '../ui/panel.ts'
import { useReturnFocus } from '../ui/return-focus.ts'
import { ACTIONS } from './palette-actions.ts'
import { ACTION_GROUP, type Action, type Entry, foundGroups, type Group, startingGroups } from './palette-groups.ts'
import { useSearch } from './use-search.ts'

export type { Action } from './palette-groups.ts'

const NAME = 'Rechercher partout'
const itemClass =
  'flex min-h-10 cursor-pointer flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 rounded-control px-3 py-2 text-body data-[selected=true]:bg-primary-soft data-[selected=true]:text-primary-ink'
const groupClass =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[0.8125rem] [&_[cmdk-group-heading]]:text-ink-muted'
const wordsClass = 'px-3 py-3 text-center text-body text-ink-soft'

const Item = ({ entry, onFollow }: { entry: Entry; onFollow: (entry: Entry) => void }) => (
  <Command.Item value={entry.key} onSelect={() => onFollow(entry)} className={itemClass}>
    <span>{entry.label}</span>
    {entry.detail && <span className="text-[0.8125rem] text-ink-soft">{entry.detail}</span>}
  </Command.Item>
)

const Groups = ({ groups, onFollow }: { groups: Group[]; onFollow: (entry: Entry) => void }) =>
  groups.map(({ heading, entries }) => (
    <Command.Group key={heading} heading={heading} className={groupClass}>
      {entries.map((entry) => (
        <Item key={entry.key} entry={entry} onFollow={onFollow} />
      ))}
    </Command.Group>
  ))

/** What one may start from here, beside the screens that the shell names. */
function useOffered(actions: Action[], go: (to: string) => void): Action[] {
  const can = useCan()
  const { opens } = useContext(Doors)
  const own = ACTIONS.filter(({ to, needs }) => can(needs) && opens(to))
  return [...own.map(({ label, also, to }) => ({ label, also, group: ACTION_GROUP, run: () => go(to) })), ...actions]
}

type Props = { open: boolean; onOpenChange: (open: boolean) => void; actions: Action[] }

/** Mounted each time it opens: it starts without a word, and with what was opened since. */
function Finder({ actions, onFollow }: { actions: Action[]; onFollow: (entry: Entry) => void }) {
  const navigate = useNavigate()
  const go = (to: string) => void navigate(to)
  const { opens } = useContext(Doors)
  const [text, setText] = useState('')
  const [recent] = useState(() => recentVisits().filter(({ to }) => opens(to)))
  const { hits, error, isAsking } = useSearch(text)
  const offered = useOffered(actions, go)
  const groups = text.trim() ? foundGroups(text, offered, hits, go) : startingGroups(offered, recent, go)
  return (
    <Command label={NAME} shouldFilter={false} loop>
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
        {error && <p className={wordsClass}>La recherche n’a pas abouti. {explain(error)}</p>}
        {!isAsking && !error && groups.length === 0 && (
          <p className={wordsClass}>Rien ne porte ce nom. Essayez un nom de famille, un PRM ou une commune.</p>
        )}
      </div>
    </Command>
  )
}

export default function CommandPalette({ open, onOpenChange, actions }: Props) {
  const focus = useReturnFocus(false)
  const follow = (entry: Entry) => {
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
          <Title className="sr-only">{NAME}</Title>
          <Finder actions={actions} onFollow={follow} />
        </Content>
      </Portal>
    </Root>
  )
}
