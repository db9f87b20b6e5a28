import { consents } from '@voisol/contract/consents'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Can } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { BULK_ACTION_LABELS, type BulkActionKind } from './actions.ts'

type Props = {
  onChoose: (kind: BulkActionKind) => void
  total: number
  isAll: boolean
  count: number
  onAll: () => void
}

/** What can be done with those who were ticked; and all who match instead of those of this page. */
export const BulkActionButtons = ({ onChoose, total, isAll, count, onAll }: Props) => (
  <>
    {!isAll && total > count && (
      <Button variant="quiet" size="small" onClick={onAll}>
        Choisir les {formatCount(total, 'participant qui correspond', 'participants qui correspondent')}
      </Button>
    )}
    <Button variant="secondary" size="small" onClick={() => onChoose('entry')}>
      {BULK_ACTION_LABELS.entry.title}
    </Button>
    <Button variant="secondary" size="small" onClick={() => onChoose('exit')}>
      {BULK_ACTION_LABELS.exit.title}
    </Button>
    <Menu
      trigger={
        <Button variant="secondary" size="small">
          Autres actions
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onChoose('invite')}>{BULK_ACTION_LABELS.invite.title}…</MenuItem>
      <MenuItem onSelect={() => onChoose('agreement')}>{BULK_ACTION_LABELS.agreement.title}…</MenuItem>
      <Can call={consents.give}>
        <MenuItem onSelect={() => onChoose('ask')}>{BULK_ACTION_LABELS.ask.title}…</MenuItem>
        <MenuItem onSelect={() => onChoose('consent')}>{BULK_ACTION_LABELS.consent.title}…</MenuItem>
      </Can>
      <MenuItem onSelect={() => onChoose('tags')}>{BULK_ACTION_LABELS.tags.title}…</MenuItem>
    </Menu>
  </>
)
