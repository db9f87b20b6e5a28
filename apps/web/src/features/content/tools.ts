import Bold from 'lucide-react/icons/bold'
import Hash from 'lucide-react/icons/hash'
import Heading2 from 'lucide-react/icons/heading-2'
import Italic from 'lucide-react/icons/italic'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListChecks from 'lucide-react/icons/list-checks'
import Megaphone from 'lucide-react/icons/megaphone'
import StickyNote from 'lucide-react/icons/sticky-note'
import Table from 'lucide-react/icons/table'
import * as edits from './markdown-edits.ts'

type Tool = {
  label: string
  icon: typeof Bold
  edit: (selected: edits.Selected) => edits.Edit
  /** With Ctrl, or Cmd. */
  key?: string
}

export const TOOLS: Tool[] = [
  { label: 'Titre', icon: Heading2, edit: edits.prefix('## ', 'Titre de la partie'), key: 'h' },
  { label: 'Gras', icon: Bold, edit: edits.wrap('**', 'texte en gras'), key: 'b' },
  { label: 'Italique', icon: Italic, edit: edits.wrap('*', 'texte en italique'), key: 'i' },
  { label: 'Lien', icon: Link, edit: edits.link, key: 'k' },
  { label: 'Liste', icon: List, edit: edits.prefix('- ', 'premier élément'), key: 'l' },
  { label: 'Tableau', icon: Table, edit: edits.block(edits.TABLE, 'Colonne') },
  { label: 'Encadré', icon: StickyNote, edit: edits.block(edits.NOTE, 'Le texte de l’encadré.') },
  { label: 'Chiffres', icon: Hash, edit: edits.block(edits.FIGURES, 'ce que mesure ce chiffre') },
  { label: 'Étapes', icon: ListChecks, edit: edits.block(edits.STEPS, 'Première étape') },
  { label: 'Appel à agir', icon: Megaphone, edit: edits.block(edits.CALL, 'Vous avez un toit\u00a0?') },
]
export const toolOf = (key: string) => TOOLS.find((tool) => tool.key === key.toLowerCase())
export const named = ({ label, key }: Tool) => (key ? `${label} (Ctrl+${key.toUpperCase()})` : label)
