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

type FormattingTool = {
  label: string
  icon: typeof Bold
  edit: (selected: edits.TextSelection) => edits.TextEdit
  /** With Ctrl, or Cmd. */
  key?: string
}

export const FORMATTING_TOOLS: FormattingTool[] = [
  { label: 'Titre', icon: Heading2, edit: edits.prefixLines('## ', 'Titre de la partie'), key: 'h' },
  { label: 'Gras', icon: Bold, edit: edits.wrapSelection('**', 'texte en gras'), key: 'b' },
  { label: 'Italique', icon: Italic, edit: edits.wrapSelection('*', 'texte en italique'), key: 'i' },
  { label: 'Lien', icon: Link, edit: edits.insertLink, key: 'k' },
  { label: 'Liste', icon: List, edit: edits.prefixLines('- ', 'premier élément'), key: 'l' },
  { label: 'Tableau', icon: Table, edit: edits.insertBlock(edits.TABLE_TEMPLATE, 'Colonne') },
  { label: 'Encadré', icon: StickyNote, edit: edits.insertBlock(edits.NOTE_TEMPLATE, 'Le texte de l’encadré.') },
  { label: 'Chiffres', icon: Hash, edit: edits.insertBlock(edits.FIGURES_TEMPLATE, 'ce que mesure ce chiffre') },
  { label: 'Étapes', icon: ListChecks, edit: edits.insertBlock(edits.STEPS_TEMPLATE, 'Première étape') },
  { label: 'Appel à agir', icon: Megaphone, edit: edits.insertBlock(edits.CALL_TEMPLATE, 'Vous avez un toit\u00a0?') },
]
export const findToolByShortcut = (key: string) => FORMATTING_TOOLS.find((tool) => tool.key === key.toLowerCase())
export const getToolLabel = ({ label, key }: FormattingTool) => (key ? `${label} (Ctrl+${key.toUpperCase()})` : label)
