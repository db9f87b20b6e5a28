import { Command } from 'cmdk'
import Search from 'lucide-react/icons/search'
import { Content, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import { overlayClass } from '../ui/panel.ts'
import { useReturnFocus } from '../ui/return-focus.ts'
import { matchScore } from './nav.ts'

export type Action = { label: string; group: string; run: () => void }

const itemClass =
  'flex min-h-10 cursor-pointer items-center justify-between gap-4 rounded-control px-3 py-1.5 text-body data-[selected=true]:bg-primary-soft data-[selected=true]:text-primary-ink'
const groupClass =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[0.8125rem] [&_[cmdk-group-heading]]:text-ink-muted'

const groupsOf = (actions: Action[]) => [...new Set(actions.map(({ group }) => group))]
/** Labels may repeat from one group to the next; cmdk tells its items apart by their value. */
const itemKey = ({ label, group }: Action) => `${label}\n${group}`
const score = (value: string, search: string) => matchScore(value.split('\n')[0] ?? '', search)

type Props = { open: boolean; onOpenChange: (open: boolean) => void; actions: Action[] }

export default function CommandPalette({ open, onOpenChange, actions }: Props) {
  const focus = useReturnFocus(false)
  const follow = (action: Action) => {
    onOpenChange(false)
    action.run()
  }
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl animate-appear overflow-hidden rounded-card border border-line bg-card shadow-float focus-visible:outline-none"
        >
          <Title className="sr-only">Rechercher un écran ou une action</Title>
          <Command label="Rechercher un écran ou une action" filter={score} loop>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden="true" className="size-4 text-ink-soft" />
              <Command.Input
                placeholder="Rechercher un écran ou une action"
                className="h-13 w-full bg-transparent text-base text-ink placeholder:text-ink-muted focus-visible:outline-none"
              />
            </div>
            <Command.List label="Résultats" className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-body text-ink-soft">
                Aucun écran ne porte ce nom.
              </Command.Empty>
              {groupsOf(actions).map((group) => (
                <Command.Group key={group} heading={group} className={groupClass}>
                  {actions
                    .filter((action) => action.group === group)
                    .map((action) => (
                      <Command.Item
                        key={itemKey(action)}
                        value={itemKey(action)}
                        onSelect={() => follow(action)}
                        className={itemClass}
                      >
                        {action.label}
                      </Command.Item>
                    ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Content>
      </Portal>
    </Root>
  )
}
