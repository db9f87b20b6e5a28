import { reading } from './reading.tsx'

export default reading({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Études de cas', href: '/case-studies' },
  ],
  related: 'Autres études de cas',
})
