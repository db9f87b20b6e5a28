import { UserList } from '../features/users/list.tsx'

export default UserList
