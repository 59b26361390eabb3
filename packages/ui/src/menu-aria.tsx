import { useEffect, useId, useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Pressable, Separator } from 'react-aria-components';
import './css/overlay.css';
import { Button } from './button.tsx';
import { CheckIcon } from './icons.tsx';
import type { MenuProps } from './menu-props.ts';

/**
 * The menu itself. It is first drawn when it was asked for, so it opens at once. Before that its button takes the focus from the one
 * that stood in for it; the focus comes back there when the menu closes.
 */
export default function OpenMenu({ label, groups, button, children }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    document.getElementById(id)?.focus();
    setOpen(true);
  }, [id]);
  const items = groups.flatMap((group) => group.items);
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <Pressable>
        <Button {...button} id={id} aria-label={label}>
          {children}
        </Button>
      </Pressable>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu"
          onAction={(id) => items.find((item) => item.id === id)?.onAction?.()}
          {...(label !== undefined && { 'aria-label': label })}
        >
          {groups.map((group, i) => (
            <MenuSection key={i} {...(group.title === undefined && { 'aria-label': String(i + 1) })}>
              {i > 0 && <Separator className="menu-line" />}
              {group.title !== undefined && <Header className="menu-head">{group.title}</Header>}
              {group.items.map((item) => (
                <MenuItem
                  key={item.id}
                  id={item.id}
                  className="menu-item"
                  data-danger={item.danger || undefined}
                  textValue={typeof item.label === 'string' ? item.label : item.id}
                  isDisabled={item.disabled ?? false}
                  {...(item.href !== undefined && { href: item.href })}
                >
                  <span>{item.label}</span>
                  {item.hint !== undefined && <span data-hint="">{item.hint}</span>}
                  {item.chosen && <CheckIcon />}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
