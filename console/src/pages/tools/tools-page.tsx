import { useParams } from 'wouter';
import { ToolList } from './tool-list.tsx';
import { ToolPage } from './tool-page.tsx';

/** `/tools`: all of them; `/tools/NAME`: one. */
export default function ToolsPage() {
  const { name } = useParams<{ readonly name?: string }>();
  return name === undefined ? <ToolList /> : <ToolPage key={name} name={name} />;
}
