import Bell from 'lucide-react/icons/bell'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import MenuIcon from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { Popover } from '../ui/popover.tsx'
import type { Crumb } from './nav.ts'

const stepClass =
  'flex w-full items-start gap-3 rounded-control p-2.5 text-left text-body hover:bg-ink/5 [&>.lucide]:mt-0.5 [&>.lucide]:size-4'

const Step = ({
  icon,
  title,
  text,
  onClick,
}: {
  icon: ReactNode
  title: string
  text: string
  onClick: () => void
}) => (
  <button type="button" className={stepClass} onClick={onClick}>
    {icon}
    <span>
      <span className="block font-medium">{title}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{text}</span>
    </span>
  </button>
)

type Props = { crumbs: Crumb[]; onMenu: () => void; onSearch: () => void; onNotifications: () => void }

/** On a phone the sidebar is out of sight: this says where one is and how to go elsewhere. Its button ends the page, over nothing. */
export const NavigationHelp = ({ crumbs, onMenu, onSearch, onNotifications }: Props) => (
  <Popover
    label="Aide à la navigation"
    side="top"
    align="end"
    gap={8}
    clear={12}
    apart
    className="z-40 w-80 max-w-[calc(100vw-1.5rem)] rounded-card p-2"
    trigger={
      <button
        type="button"
        data-print="hide"
        aria-label="Aide à la navigation"
        className="m-4 ml-auto flex min-h-11 items-center gap-2 rounded-full border border-line bg-card px-4 text-body text-primary-ink lg:hidden"
      >
        <CircleQuestionMark aria-hidden="true" className="size-5" />
        Aide à la navigation
      </button>
    }
  >
    {(close) => {
      const then = (go: () => void) => () => {
        close()
        go()
      }
      return (
        <>
          <p className="px-2.5 pt-1.5 pb-2 text-[0.8125rem] text-ink-soft">
            Vous êtes ici{'\u00a0'}:{' '}
            <strong className="font-medium text-ink">{crumbs.map((c) => c.label).join(' › ')}</strong>
          </p>
          <Step
            icon={<MenuIcon aria-hidden="true" />}
            title="Ouvrir le menu"
            text="Toutes les sections de votre espace."
            onClick={then(onMenu)}
          />
          <Step
            icon={<Search aria-hidden="true" />}
            title="Rechercher"
            text="Une personne, un PRM, une opération, un écran."
            onClick={then(onSearch)}
          />
          <Step
            icon={<Bell aria-hidden="true" />}
            title="Voir les notifications"
            text="Ce qui demande votre attention."
            onClick={then(onNotifications)}
          />
        </>
      )
    }}
  </Popover>
)
