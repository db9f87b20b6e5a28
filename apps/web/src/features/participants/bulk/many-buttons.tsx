import { consents } from '@voisol/contract/consents'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Can } from '../../../lib/can.tsx'
import { plural } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { KINDS, type Kind } from './actions.ts'

type Props = { onChoose: (kind: Kind) => void; total: number; isAll: boolean; count: number; onAll: () => void }

/** What can be done with those who were ticked; and all who match instead of those of this page. */
export const ManyButtons = ({ onChoose, total, isAll, count, onAll }: Props) => (
  <>
    {!isAll && total > count && (
      <Button variant="quiet" size="small" onClick={onAll}>
        Choisir les {plural(total, 'participant qui correspond', 'participants qui correspondent')}
      </Button>
    )}
    <Button variant="secondary" size="small" onClick={() => onChoose('entry')}>
      {KINDS.entry.title}
    </Button>
    <Button variant="secondary" size="small" onClick={() => onChoose('exit')}>
      {KINDS.exit.title}
    </Button>
    <Menu
      trigger={
        <Button variant="secondary" size="small">
          Autres actions
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onChoose('invite')}>{KINDS.invite.title}…</MenuItem>
      <MenuItem onSelect={() => onChoose('agreement')}>{KINDS.agreement.title}…</MenuItem>
      <Can call={consents.give}>
        <MenuItem onSelect={() => onChoose('ask')}>{KINDS.ask.title}…</MenuItem>
        <MenuItem onSelect={() => onChoose('consent')}>{KINDS.consent.title}…</MenuItem>
      </Can>
      <MenuItem onSelect={() => onChoose('tags')}>{KINDS.tags.title}…</MenuItem>
    </Menu>
  </>
)
