import { reading } from './reading.tsx'

export default reading({
  trail: [{ label: 'Guide d’utilisation', href: '/user-guide' }],
  related: 'Guides voisins',
})
