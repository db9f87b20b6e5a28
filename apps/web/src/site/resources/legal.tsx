import { reading } from './reading.tsx'

export default reading({ trail: [{ label: 'Accueil', href: '/' }], related: 'Autres textes' })
