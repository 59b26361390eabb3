import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Pressable, Separator } from 'react-aria-components';
import './css/overlay.css';
import { Button } from './button.tsx';
import { CheckIcon } from './icons.tsx';
import type { MenuProps } from './menu-props.ts';

/** The menu itself. It is first drawn when it was asked for, so it begins open. */
export default function OpenMenu({ label, groups, button, children }: MenuProps) {
  const [open, setOpen] = useState(true);
  const items = groups.flatMap((group) => group.items);
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <Pressable>
        <Button {...button} aria-label={label}>
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
