import { content } from '@voisol/contract/content'
import Plus from 'lucide-react/icons/plus'
import { only } from '../../lib/can.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { useDesk } from './address.ts'
import { KINDS, NEW_KINDS } from './labels.ts'

/** The kind decides where it is read and what is asked: it comes first. */
export const NewContent = only(content.create, () => {
  const { linkToNew } = useDesk()
  return (
    <Dialog
      title="Nouveau contenu"
      description="Que voulez-vous écrire&nbsp;? Rien n’est enregistré avant votre premier brouillon."
      trigger={<Button icon={<Plus aria-hidden="true" />}>Nouveau contenu</Button>}
    >
      <ul className="grid gap-2 sm:grid-cols-2">
        {NEW_KINDS.map((kind) => (
          <li key={kind}>
            <Link
              to={linkToNew(kind)}
              className="block h-full rounded-card border border-line p-4 transition-colors duration-150 hover:border-control hover:bg-page"
            >
              <span className="block font-medium">{KINDS[kind].label}</span>
              <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{KINDS[kind].what}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
})
