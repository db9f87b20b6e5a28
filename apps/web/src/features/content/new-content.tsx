import { content } from '@voisol/contract/content'
import Plus from 'lucide-react/icons/plus'
import { withAccess } from '../../lib/can.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { useContentNavigation } from './address.ts'
import { CONTENT_KINDS, CREATABLE_CONTENT_KINDS } from './labels.ts'

/** The kind decides where it is read and what is asked: it comes first. */
export const NewContent = withAccess(content.create, () => {
  const { linkToNew } = useContentNavigation()
  return (
    <Dialog
      title="Nouveau contenu"
      description="Que voulez-vous écrire&nbsp;? Rien n’est enregistré avant votre premier brouillon."
      trigger={<Button icon={<Plus aria-hidden="true" />}>Nouveau contenu</Button>}
    >
      <ul className="grid gap-2 sm:grid-cols-2">
        {CREATABLE_CONTENT_KINDS.map((kind) => (
          <li key={kind}>
            <Link
              to={linkToNew(kind)}
              className="block h-full rounded-card border border-line p-4 transition-colors duration-150 hover:border-control hover:bg-page"
            >
              <span className="block font-medium">{CONTENT_KINDS[kind].label}</span>
              <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{CONTENT_KINDS[kind].what}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
})
